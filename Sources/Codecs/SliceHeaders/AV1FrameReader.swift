import MediaCore

/// Reads the codes of AV1's frame headers (AV1 bitstream specification §4.10).
struct AV1FrameReader {
    var bits: BitReader

    init(_ bytes: [UInt8]) { bits = BitReader(bytes) }

    /// A tool that the sequence decides on, or the frame with a bit.
    mutating func choice(_ choice: AV1CodingTools.Choice) throws -> Bool {
        switch choice {
        case .always(let isUsed): isUsed
        case .byFrame: try bits.readBit()
        }
    }

    /// su(n): a number in two's complement.
    mutating func readSigned(_ count: Int) throws -> Int {
        let value = Int(try bits.readBits(count))
        return value >= 1 << (count - 1) ? value - 1 << count : value
    }

    /// ns(n): a number below a limit, with as few bits as it takes.
    mutating func readNumber(below limit: Int) throws -> Int {
        guard limit > 1 else { return 0 }
        let bitCount = Int.bitWidth - limit.leadingZeroBitCount
        let shortCount = 1 << bitCount - limit
        let value = Int(try bits.readBits(bitCount - 1))
        guard value >= shortCount else { return value }
        return value << 1 - shortCount + (try bits.readBit() ? 1 : 0)
    }

    /// read_delta_q (§5.9.13).
    mutating func readQuantizerDifference() throws -> Int { try bits.readBit() ? try readSigned(7) : 0 }

    /// decode_subexp (§5.9.27): a number below a limit, of which only the length matters here.
    mutating func skipSubexponential(below limit: Int) throws {
        var (step, least) = (0, 0)
        while true {
            let bitCount = step > 0 ? step + 2 : 3
            let span = 1 << bitCount
            if limit <= least + 3 * span {
                _ = try readNumber(below: limit - least)
                return
            }
            guard try bits.readBit() else { return try bits.skipBits(bitCount) }
            step += 1
            least += span
        }
    }
}
