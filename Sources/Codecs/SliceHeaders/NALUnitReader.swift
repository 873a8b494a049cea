import MediaCore

/// Reads a NAL unit's payload, and tells how many bytes of the unit the bits read so far take.
struct NALUnitReader {
    var bits: BitReader
    private let unit: [UInt8]
    private let headerByteCount: Int

    init(_ unit: [UInt8], headerByteCount: Int) {
        bits = BitReader(rawByteSequencePayload(of: unit, headerByteCount: headerByteCount))
        (self.unit, self.headerByteCount) = (unit, headerByteCount)
    }

    /// The number of bytes of the unit, emulation prevention bytes included, that hold everything that was read.
    var readByteCount: Int {
        var payloadByteCount = (bits.bitPosition + 7) / 8
        var position = headerByteCount
        var zeros = 0
        while payloadByteCount > 0, position < unit.count {
            let byte = unit[position]
            position += 1
            if zeros >= 2 && byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            payloadByteCount -= 1
        }
        return position
    }

    /// Reads a number, such as ue(v), that is a count and bounds a loop.
    mutating func readCount(_ maximum: Int, _ name: String) throws -> Int {
        let value = Int(try bits.readUnsignedExpGolomb())
        guard value <= maximum else {
            throw CodecError(.invalid, in: SliceDataFinder.structure, "\(name) is \(value), more than \(maximum)")
        }
        return value
    }
}
