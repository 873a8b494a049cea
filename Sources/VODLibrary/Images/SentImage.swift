import LibraryCore
import MediaCore
import NIOCore

/// An image that somebody has sent, as far as it is looked at before a worker decodes it.
enum SentImage {
    /// Limit on the size of an image in bytes: a photograph of 24 megapixels.
    static let maximumByteCount = 16 << 20

    /// Checks that a worker may be given an image.
    ///
    /// - Throws: `LibraryError` if it is neither a JPEG nor a PNG file, or too large.
    static func check(_ image: ByteBuffer) throws(LibraryError) {
        guard image.readableBytes <= maximumByteCount else {
            throw LibraryError(.limitExceeded, "images are limited to \(maximumByteCount >> 20) MiB")
        }
        guard let header = ImageHeader(parsing: image.readableBytesView) else {
            throw LibraryError(.unplayable, "the image is neither a JPEG nor a PNG file")
        }
        guard let size = header.size, size.pixelCount > ImageHeader.maximumPixelCount else { return }
        throw LibraryError(
            .unplayable,
            """
            the image has \(size.width) × \(size.height) pixels; images are limited to \
            \(ImageHeader.maximumPixelCount / 1_000_000) megapixels
            """)
    }
}
