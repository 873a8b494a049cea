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
