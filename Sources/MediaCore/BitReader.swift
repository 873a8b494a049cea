/// Reads big-endian bit fields and Exp-Golomb codes (ITU-T H.264 §9.1) from bytes that a stranger sent.
///
/// Every read past the end throws; nothing traps.
package struct BitReader {
    private let bytes: [UInt8]
    /// From the start of `bytes`.
    package private(set) var bitPosition = 0

    package struct EndOfData: Error, Hashable {
        /// The bit at which the failing read began.
        package var bitPosition: Int
        package var requestedBitCount: Int
    }

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var remainingBitCount: Int { bytes.count * 8 - bitPosition }

    /// - Parameter count: 0 to 32.
    package mutating func readBits(_ count: Int) throws(EndOfData) -> UInt32 {
        precondition((0...32).contains(count), "a bit field has at most 32 bits")
        guard count <= remainingBitCount else {
            throw EndOfData(bitPosition: bitPosition, requestedBitCount: count)
        }
        var result: UInt64 = 0
        var wanted = count
        while wanted > 0 {
            let available = 8 - bitPosition % 8
            let taken = min(available, wanted)
            let byte = bytes[bitPosition / 8]
            let bits = (byte >> UInt8(available - taken)) & UInt8(truncatingIfNeeded: (1 << taken) - 1)
            result = result << UInt64(taken) | UInt64(bits)
            bitPosition += taken
            wanted -= taken
        }
        return UInt32(truncatingIfNeeded: result)
    }

    package mutating func readBit() throws(EndOfData) -> Bool { try readBits(1) == 1 }

    package mutating func skipBits(_ count: Int) throws(EndOfData) {
        precondition(count >= 0, "bits are skipped forwards")
        guard count <= remainingBitCount else {
            throw EndOfData(bitPosition: bitPosition, requestedBitCount: count)
        }
        bitPosition += count
    }

    /// ue(v), ITU-T H.264 §9.1. Codes of more than 32 leading zeros do not exist and throw.
    package mutating func readUnsignedExpGolomb() throws(EndOfData) -> UInt32 {
        let start = bitPosition
        var leadingZeros = 0
        while try !readBit() {
            leadingZeros += 1
            guard leadingZeros <= 32 else {
                throw EndOfData(bitPosition: start, requestedBitCount: leadingZeros)
            }
        }
        guard leadingZeros > 0 else { return 0 }
        let suffix = UInt64(try readBits(leadingZeros))
        return UInt32(clamping: (UInt64(1) << UInt64(leadingZeros)) - 1 + suffix)
    }

    /// se(v), ITU-T H.264 §9.1.1.
    package mutating func readSignedExpGolomb() throws(EndOfData) -> Int32 {
        let code = Int64(try readUnsignedExpGolomb())
        return Int32(clamping: code % 2 == 0 ? -(code / 2) : (code + 1) / 2)
    }
}
