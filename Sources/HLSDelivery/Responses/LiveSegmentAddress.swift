import HTTPTypes

/// Identifies a segment of a channel, as the URIs of its playlist do.
struct LiveSegmentAddress: Sendable, Hashable {
    var rendition: String
    var epoch: String
    var mediaSequence: Int

    var fields: HTTPFields { MediaFields.segment(ofRendition: rendition) }

    /// The strong entity tag, with quotation marks.
    var etag: String { "\"\(epoch)-\(rendition)-\(mediaSequence)\"" }
}
