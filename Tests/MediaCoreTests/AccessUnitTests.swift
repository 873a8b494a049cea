import MediaCore
import NIOCore
import Testing

struct AccessUnitTests {
    @Test func nalUnitsAreStoredBehindFourByteLengths() {
        let payload = SamplePayload.nalUnits([
            FragmentedNALUnit(
                restoredHeader: .oneByte(0x65), fragments: [ByteBuffer(bytes: [1, 2]), ByteBuffer(bytes: [3])]),
            FragmentedNALUnit(restoredHeader: .twoBytes(0x2601), fragments: [ByteBuffer()]),
            FragmentedNALUnit(ByteBuffer(bytes: [6, 5])),
        ])
        var buffer = ByteBuffer()
        payload.write(into: &buffer)
        let expected: [UInt8] = [0, 0, 0, 4, 0x65, 1, 2, 3, 0, 0, 0, 2, 0x26, 1, 0, 0, 0, 2, 6, 5]
        #expect(Array(buffer.readableBytesView) == expected)
        #expect(payload.byteCount == expected.count)
    }

    @Test func theFirstByteIsFoundBehindEmptyFragments() {
        let late = FragmentedNALUnit(fragments: [ByteBuffer(), ByteBuffer(bytes: [0x41])])
        #expect(late.firstByte == 0x41)
        #expect(FragmentedNALUnit(fragments: []).firstByte == nil)
        #expect(FragmentedNALUnit(restoredHeader: .twoBytes(0x2601), fragments: []).firstByte == 0x26)
        #expect(
            FragmentedNALUnit(restoredHeader: .oneByte(0x65), fragments: [ByteBuffer(bytes: [9])]).bytes() == [0x65, 9])
    }
}
