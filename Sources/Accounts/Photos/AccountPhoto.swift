/// The photo of an account: a small square JPEG that this program has encoded itself.
package struct AccountPhoto: Sendable, Hashable {
    package let jpeg: [UInt8]

    /// Width and height in pixels: enough for a profile page on a screen with two device pixels per pixel.
    package static let side = 256
    /// Limit of the file, several times what an image of that size takes.
    package static let maximumByteCount = 256 * 1_024

    /// - Returns: `nil` if the bytes are not a JPEG file, or too many.
    package init?(jpeg: [UInt8]) {
        guard jpeg.count <= Self.maximumByteCount, jpeg.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        self.jpeg = jpeg
    }

    /// A text that differs for different images, for `ETag` and addresses.
    package var version: String { ContentVersion.text(of: jpeg) }
}
