import NIOCore

/// Puts sections together (ISO/IEC 13818-1 §2.4.4), which may span packets, and checks them.
struct TSSectionAssembler: Sendable {
    private static let stuffing: UInt8 = 0xFF
    /// The table's identifier, and the length of the rest.
    private static let headerByteCount = 3
    private static let checksumByteCount = 4

    private var bytes: ByteBuffer?

    /// Takes the payload of a packet.
    ///
    /// - Parameters:
    ///   - payload: the payload.
    ///   - beginsUnit: whether a section begins in it.
    ///   - isContinuous: whether it follows the one before.
    /// - Returns: the sections that are complete and undamaged, without their checksums.
    mutating func take(_ payload: ByteBuffer, beginsUnit: Bool, isContinuous: Bool) -> [ByteBuffer] {
        var (payload, sections) = (payload, [ByteBuffer]())
        if !isContinuous { bytes = nil }
        guard beginsUnit else {
            bytes?.writeImmutableBuffer(payload)
            finish(&sections)
            return sections
        }
        guard let pointer = payload.readInteger(as: UInt8.self), let rest = payload.readSlice(length: Int(pointer))
        else {
            bytes = nil
            return []
        }
        bytes?.writeImmutableBuffer(rest)
        finish(&sections)
        bytes = payload
        finish(&sections)
        return sections
    }

    /// Takes the complete sections at the beginning out.
    private mutating func finish(_ sections: inout [ByteBuffer]) {
        while var open = bytes {
            guard open.getInteger(at: open.readerIndex, as: UInt8.self) != Self.stuffing else {
                bytes = nil
                return
            }
            guard let word = open.getInteger(at: open.readerIndex + 1, as: UInt16.self) else { return }
            let length = Int(word & 0xFFF) + Self.headerByteCount
            guard length <= TSLimits.sectionByteCount else {
                bytes = nil
                return
            }
            guard let section = open.readSlice(length: length) else { return }
            bytes = open.readableBytes > 0 ? open : nil
            // SCTE 35 and others have the same checksum; sections without one are not used here.
            guard length > Self.headerByteCount + Self.checksumByteCount, Self.checksum(section.readableBytesView) == 0,
                let content = section.getSlice(at: section.readerIndex, length: length - Self.checksumByteCount)
            else { continue }
            sections.append(content)
        }
    }

    /// The cyclic redundancy check of sections (annex A); zero over a section with its checksum.
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0xFFFF_FFFF as UInt32) { value, byte in
            table[Int((value >> 24) ^ UInt32(byte))] ^ (value << 8)
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { value, _ in
            value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1
        }
    }
}
