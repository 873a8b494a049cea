import NIOCore

extension ByteBuffer {
    /// Reads leb128() (AV1 bitstream specification §4.10.5) of at most four bytes, which is enough for any size here;
    /// `nil` if it is longer or cut off.
    mutating func readLittleEndianBase128() -> Int? {
        var value = 0
        for index in 0..<4 {
            guard let byte = readInteger(as: UInt8.self) else { return nil }
            value |= Int(byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    mutating func writeLittleEndianBase128(_ value: Int) {
        var rest = value
        repeat {
            writeInteger(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
    }
}
