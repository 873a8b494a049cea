/// A cover image embedded in a media file.
package struct CoverImage: Sendable {
    /// The largest image in bytes; larger ones would slow down pages that list covers.
    package static let maximumByteCount = 16 << 20

    /// The image file.
    package var bytes: [UInt8]
    /// The file extension without a dot: `jpg`, `png`, `gif` or `webp`, detected from the bytes.
    package var fileExtension: String
}
