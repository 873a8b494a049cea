import MediaCore
import Testing

struct BitReaderTests {
    @Test func readsAcrossByteBoundaries() throws {
        var reader = BitReader([0b1010_0101, 0xFF, 0x00, 0x12, 0x34])
        #expect(try reader.readBits(3) == 0b101)
        #expect(try reader.readBits(0) == 0)
        #expect(try reader.readBits(7) == 0b0010111)
        #expect(reader.bitPosition == 10)
        try reader.skipBits(6)
        #expect(try reader.readBits(24) == 0x001234)
        #expect(reader.remainingBitCount == 0)
    }

    @Test func reads32BitsAtAnyAlignment() throws {
        for shift in 0..<8 {
            var reader = BitReader([0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
            try reader.skipBits(shift)
            #expect(try reader.readBits(32) == .max)
        }
    }

    @Test func aReadPastTheEndThrowsAndConsumesNothing() throws {
        var reader = BitReader([0xAB])
        try reader.skipBits(4)
        let error = #expect(throws: BitReader.EndOfData.self) { try reader.readBits(5) }
        #expect(error?.bitPosition == 4 && error?.requestedBitCount == 5)
        #expect(throws: BitReader.EndOfData.self) { try reader.skipBits(9) }
        #expect(try reader.readBits(4) == 0xB)
        #expect(throws: BitReader.EndOfData.self) { try reader.readBit() }
        var empty = BitReader([])
        #expect(throws: BitReader.EndOfData.self) { try empty.readUnsignedExpGolomb() }
    }

    /// ITU-T H.264 tables 9-2 and 9-3, then codes at the ends of the range.
    @Test(
        arguments: [
            ("1", 0, 0), ("010", 1, 1), ("011", 2, -1), ("00100", 3, 2), ("00101", 4, -2), ("00110", 5, 3),
            ("00111", 6, -3), ("0001000", 7, 4), ("0001001", 8, -4), ("0001010", 9, 5),
            ("0000000000000001" + "000000000000000", 32_767, 16_384),
            (zeros(31) + "1" + String(repeating: "1", count: 31), 4_294_967_294, -2_147_483_647),
            (zeros(32) + "1" + zeros(32), 4_294_967_295, 2_147_483_647),
            (zeros(32) + "1" + String(repeating: "1", count: 32), 4_294_967_295, 2_147_483_647),
        ] as [(String, UInt32, Int32)])
    func readsExpGolombCodes(_ code: String, _ unsigned: UInt32, _ signed: Int32) throws {
        var reader = BitReader(packed(code))
        #expect(try reader.readUnsignedExpGolomb() == unsigned)
        #expect(reader.bitPosition == code.count)
        reader = BitReader(packed(code))
        #expect(try reader.readSignedExpGolomb() == signed)
    }

    @Test func anExpGolombCodeThatNeverEndsThrows() {
        var zeros = BitReader(Array(repeating: 0, count: 64))
        #expect(throws: BitReader.EndOfData.self) { try zeros.readUnsignedExpGolomb() }
        var cut = BitReader([0b0000_0001])
        #expect(throws: BitReader.EndOfData.self) { try cut.readUnsignedExpGolomb() }
    }
}

private func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

/// Bits as written, padded with ones.
private func packed(_ bits: String) -> [UInt8] {
    let padded = bits + String(repeating: "1", count: (8 - bits.count % 8) % 8)
    return stride(from: 0, to: padded.count, by: 8).compactMap { start in
        UInt8(padded.dropFirst(start).prefix(8), radix: 2)
    }
}
