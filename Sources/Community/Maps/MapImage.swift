import Accounts
import MediaCore

/// The image below the points of a map: a JPEG that this program has encoded itself.
package struct MapImage: Sendable, Hashable {
    package let jpeg: [UInt8]
    /// In pixels.
    package let width: Int
    package let height: Int

    /// The largest width in pixels: maps are drawn up to 1,100 wide, and screens have two for each.
    package static let maximumWidth = 2_000
    /// Limit of the file, several times what an image of that size takes.
    package static let maximumByteCount = 4 << 20
    /// Limit of each side in pixels, as a check of the worker's output.
    private static let maximumSide = 16_384

    /// - Returns: `nil` if the bytes are not a JPEG file with a size, or too many.
    package init?(jpeg: [UInt8]) {
        let sides = 1...Self.maximumSide
        guard jpeg.count <= Self.maximumByteCount, let header = ImageHeader(parsing: jpeg), header.format == .jpeg,
            let size = header.size, sides.contains(size.width), sides.contains(size.height)
        else { return nil }
        (self.jpeg, width, height) = (jpeg, size.width, size.height)
    }

    /// A text that differs for different images, for `ETag` and addresses.
    package var version: String { ContentVersion.text(of: jpeg) }
}
