package import Packaging

/// Where the delivery handler gets titles and tracks from.
package protocol PackagedTitleSource: Sendable {
    func packagedTitle(at address: TitleAddress) async throws -> TitleLookup
    /// A track's own file.
    func trackFile(id: String) async throws -> TrackFile?
}

package enum TitleLookup: Sendable {
    /// - Parameter revision: changes whenever the media does; part of every segment's URL.
    case ready(PackagedTitle, revision: String, extras: TitleExtras = TitleExtras())
    /// Being ingested, or failed: the reason is for people.
    case notReady(reason: String)
    case unknown
}

/// A file to be sent as it is.
package struct TrackFile: Sendable {
    package var path: String
    /// `audio/mpeg` and the like.
    package var contentType: String
    /// Strong, with quotation marks.
    package var etag: String

    package init(path: String, contentType: String, etag: String) {
        self.path = path
        self.contentType = contentType
        self.etag = etag
    }
}
