package import Packaging

/// The source of the delivery handler's titles and tracks.
package protocol PackagedTitleSource: Sendable {
    /// The title or track at an address.
    func packagedTitle(at address: TitleAddress) async throws -> TitleLookup
    /// The original file of a track; `nil` if there is no such track.
    func trackFile(id: String) async throws -> TrackFile?
}

/// The result of looking up a title or track.
package enum TitleLookup: Sendable {
    /// The title can be played.
    ///
    /// - Parameter revision: changes whenever the media does; part of every segment's URL.
    case ready(PackagedTitle, revision: String, extras: TitleExtras = TitleExtras())
    /// The title is being ingested, or has failed; the reason is human-readable.
    case notReady(reason: String)
    /// There is no such title.
    case unknown
}

/// A file that is sent unchanged.
package struct TrackFile: Sendable {
    package var path: String
    /// The media type, such as `audio/mpeg`.
    package var contentType: String
    /// The strong entity tag, with quotation marks.
    package var etag: String

    package init(path: String, contentType: String, etag: String) {
        self.path = path
        self.contentType = contentType
        self.etag = etag
    }
}
