import MediaCore

/// The tiles of a frame: tile_info (AV1 bitstream specification §5.9.15).
struct AV1TileLayout: Sendable, Hashable {
    /// The number of tiles.
    private(set) var count: Int
    /// Size in bits of the number of a tile.
    private(set) var numberBitCount: Int
    /// Size in bytes of a tile's size.
    private(set) var sizeByteCount = 0

    /// MAX_TILE_WIDTH, MAX_TILE_AREA, MAX_TILE_COLS and MAX_TILE_ROWS (§3).
    private static let maximumWidth = 4_096
    private static let maximumArea = 4_096 * 2_304
    private static let maximumCount = 64

    /// - Parameters:
    ///   - reader: reads the frame header.
    ///   - width: the width that is coded, in pixels.
    ///   - height: the height in pixels.
    ///   - hasLargeSuperblocks: whether superblocks have 128 pixels, and not 64.
    init(parsing reader: inout AV1FrameReader, width: Int, height: Int, hasLargeSuperblocks: Bool) throws {
        let shift = hasLargeSuperblocks ? 7 : 6
        let size = 1 << shift
        let (columns, rows) = ((Self.blocks(width) + size - 1) >> shift, (Self.blocks(height) + size - 1) >> shift)
        let maximumWidth = Self.maximumWidth >> shift
        let maximumArea = Self.maximumArea >> (2 * shift)
        let minimumColumnExponent = Self.exponent(maximumWidth, columns)
        let minimumExponent = max(minimumColumnExponent, Self.exponent(maximumArea, rows * columns))
        var tiles: (columns: Int, rows: Int)
        var exponents: (columns: Int, rows: Int)
        if try reader.bits.readBit() {
            exponents.columns = try Self.readExponent(
                &reader, from: minimumColumnExponent, to: Self.exponent(1, min(columns, Self.maximumCount)))
            exponents.rows = try Self.readExponent(
                &reader, from: max(minimumExponent - exponents.columns, 0),
                to: Self.exponent(1, min(rows, Self.maximumCount)))
            tiles = (
                Self.count(of: columns, exponent: exponents.columns), Self.count(of: rows, exponent: exponents.rows)
            )
        } else {
            let (columnCount, widest) = try Self.readSizes(&reader, of: columns, maximum: maximumWidth)
            let area = (rows * columns) >> (minimumExponent > 0 ? minimumExponent + 1 : 0)
            let (rowCount, _) = try Self.readSizes(&reader, of: rows, maximum: max(area / widest, 1))
            tiles = (columnCount, rowCount)
            exponents = (Self.exponent(1, columnCount), Self.exponent(1, rowCount))
        }
        guard tiles.columns <= Self.maximumCount, tiles.rows <= Self.maximumCount else {
            throw AV1FrameHeaderParser.invalid("has \(tiles.columns) by \(tiles.rows) tiles")
        }
        count = tiles.columns * tiles.rows
        numberBitCount = exponents.columns + exponents.rows
        if numberBitCount > 0 {
            try reader.bits.skipBits(numberBitCount)  // context_update_tile_id
            sizeByteCount = Int(try reader.bits.readBits(2)) + 1
        }
    }

    /// Pixels in whole blocks of eight.
    private static func blocks(_ pixels: Int) -> Int { (pixels + 7) & ~7 }

    /// tile_log2: how often the size has to be doubled to reach a target.
    private static func exponent(_ size: Int, _ target: Int) -> Int {
        var exponent = 0
        while size << exponent < target { exponent += 1 }
        return exponent
    }

    private static func readExponent(_ reader: inout AV1FrameReader, from least: Int, to most: Int) throws -> Int {
        var exponent = least
        while exponent < most, try reader.bits.readBit() { exponent += 1 }
        return exponent
    }

    /// The number of equal tiles over a number of superblocks.
    private static func count(of superblocks: Int, exponent: Int) -> Int {
        let size = (superblocks + 1 << exponent - 1) >> exponent
        return (superblocks + size - 1) / size
    }

    /// Reads the sizes of tiles over a number of superblocks.
    ///
    /// - Returns: the number of tiles, and the size of the largest.
    private static func readSizes(
        _ reader: inout AV1FrameReader, of superblocks: Int, maximum: Int
    ) throws -> (count: Int, largest: Int) {
        var (count, largest, position) = (0, 1, 0)
        while position < superblocks {
            let size = try reader.readNumber(below: min(superblocks - position, maximum)) + 1
            largest = max(largest, size)
            position += size
            count += 1
        }
        return (count, largest)
    }
}
