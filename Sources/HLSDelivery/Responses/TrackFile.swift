package import Packaging

/// A file that is sent unchanged.
package struct TrackFile: Sendable {
    /// The open file.
    package var media: MediaFile
    /// The media type, such as `audio/mpeg`.
    package var contentType: String
    /// The strong entity tag, with quotation marks.
    package var etag: String

    package init(media: MediaFile, contentType: String, etag: String) {
        self.media = media
        self.contentType = contentType
        self.etag = etag
    }
}
