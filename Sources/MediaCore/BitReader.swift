/// Reads big-endian bit fields and Exp-Golomb codes (ITU-T H.264 §9.1) from untrusted bytes.
///
/// Every read past the end throws; nothing traps.
package struct BitReader {
    private let bytes: [UInt8]
    /// Position of the next bit, counted from the start of `bytes`.
    package private(set) var bitPosition = 0

    /// The bytes end before the requested bits.
    package struct EndOfData: Error, Hashable {
        /// The bit at which the failing read began.
        package var bitPosition: Int
        /// Number of bits that the read needed.
        package var requestedBitCount: Int
    }

    /// Creates a reader at the first and most significant bit.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Number of bits that have not been read yet.
    package var remainingBitCount: Int { bytes.count * 8 - bitPosition }

    /// Reads an unsigned bit field.
    ///
    /// - Parameter count: 0 to 32; anything else is a programming error and traps.
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

    /// Reads one bit; throws at the end of the data.
    package mutating func readBit() throws(EndOfData) -> Bool { try readBits(1) == 1 }

    /// Skips bits without reading them; throws if fewer are left.
    package mutating func skipBits(_ count: Int) throws(EndOfData) {
        precondition(count >= 0, "the number of bits to skip is not negative")
        guard count <= remainingBitCount else {
            throw EndOfData(bitPosition: bitPosition, requestedBitCount: count)
        }
        bitPosition += count
    }

    /// Reads ue(v), ITU-T H.264 §9.1. A code with more than 32 leading zeros is not valid and throws.
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

    /// Reads se(v), ITU-T H.264 §9.1.1.
    package mutating func readSignedExpGolomb() throws(EndOfData) -> Int32 {
        let code = Int64(try readUnsignedExpGolomb())
        return Int32(clamping: code % 2 == 0 ? -(code / 2) : (code + 1) / 2)
    }
}
