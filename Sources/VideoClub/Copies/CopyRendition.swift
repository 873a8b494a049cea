/// A rendition of a title that can be copied.
package struct CopyRendition: Sendable, Hashable {
    /// The name in URLs, such as `video`.
    package var name: String
    /// The exact size of its copy.
    package var byteCount: Int64
    /// Bits per second.
    package var bandwidth: Int
    /// The size in pixels; `nil` for audio.
    package var width: Int?
    package var height: Int?
    /// RFC 6381.
    package var codecs: [String]

    /// Creates a rendition; the parameters are the properties of the same names.
    package init(
        name: String, byteCount: Int64, bandwidth: Int, width: Int?, height: Int?, codecs: [String]
    ) {
        (self.name, self.byteCount, self.bandwidth) = (name, byteCount, bandwidth)
        (self.width, self.height, self.codecs) = (width, height, codecs)
    }
}
