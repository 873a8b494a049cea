import MediaCore

/// Writes big-endian bit fields.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var bitCount = 0

    /// Appends the lowest bits of a value.
    ///
    /// - Parameter count: 0 to 32.
    mutating func write(_ value: UInt32, bitCount count: Int) {
        for shift in stride(from: count - 1, through: 0, by: -1) {
            if bitCount % 8 == 0 { bytes.append(0) }
            let bit = UInt8(truncatingIfNeeded: value >> UInt32(shift) & 1)
            bytes[bytes.count - 1] |= bit << UInt8(7 - bitCount % 8)
            bitCount += 1
        }
    }

    /// Appends bits of a payload; throws if it ends before them.
    mutating func copy(_ range: Range<Int>, of payload: [UInt8]) throws(BitReader.EndOfData) {
        var reader = BitReader(payload)
        try reader.skipBits(range.lowerBound)
        for _ in range { write(try reader.readBits(1), bitCount: 1) }
    }
}
