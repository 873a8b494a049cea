import Accounts

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
    /// Limit of each side in pixels, as a check of what was made.
    private static let maximumSide = 16_384

    /// - Returns: `nil` if the bytes are not a JPEG file with a size, or too many.
    package init?(jpeg: [UInt8]) {
        guard jpeg.count <= Self.maximumByteCount, let size = Self.size(of: jpeg) else { return nil }
        (self.jpeg, width, height) = (jpeg, size.width, size.height)
    }

    /// A text that differs for different images, for `ETag` and addresses.
    package var version: String { ContentVersion.text(of: jpeg) }

    /// The size in the frame header (ITU-T T.81 §B.2.2).
    private static func size(of jpeg: [UInt8]) -> (width: Int, height: Int)? {
        guard jpeg.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        func number(at offset: Int) -> Int { Int(jpeg[offset]) << 8 | Int(jpeg[offset + 1]) }
        var offset = 2
        while offset + 9 <= jpeg.count, jpeg[offset] == 0xFF {
            switch jpeg[offset + 1] {
            case 0xFF: offset += 1
            case 0xC0, 0xC1, 0xC2:
                let (height, width) = (number(at: offset + 5), number(at: offset + 7))
                guard (1...maximumSide).contains(height), (1...maximumSide).contains(width) else { return nil }
                return (width, height)
            default: offset += 2 + number(at: offset + 2)
            }
        }
        return nil
    }
}
