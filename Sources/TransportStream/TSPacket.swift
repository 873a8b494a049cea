package import NIOCore

/// A packet of 188 bytes (ISO/IEC 13818-1 §2.4.3).
package struct TSPacket: Sendable, Hashable {
    package static let byteCount = 188
    static let syncByte: UInt8 = 0x47
    /// The identifier of packets without content.
    static let nullIdentifier: UInt16 = 0x1FFF

    package var identifier: UInt16
    /// Whether a section or PES packet begins in the payload.
    package var beginsUnit: Bool
    package var continuity: UInt8
    /// Whether the sender says that times and numbers do not go on.
    package var isDiscontinuous = false
    /// The clock of the programme in units of 90 kHz; `nil` if the packet has none.
    package var clock: UInt64?
    /// `nil` for a packet without payload, or one that is damaged or encrypted.
    package var payload: ByteBuffer?

    /// - Parameter bytes: ``byteCount`` bytes that begin with the sync byte.
    /// - Returns: `nil` for fewer bytes.
    package init?(_ bytes: ByteBuffer) {
        var bytes = bytes
        guard bytes.readableBytes == Self.byteCount, let head = bytes.readInteger(as: UInt32.self) else { return nil }
        identifier = UInt16(head >> 8 & 0x1FFF)
        beginsUnit = head & 0x40_0000 != 0
        continuity = UInt8(head & 0xF)
        let (isDamaged, isEncrypted) = (head & 0x80_0000 != 0, head & 0xC0 != 0)
        if head & 0x20 != 0 {
            guard let length = bytes.readInteger(as: UInt8.self), var field = bytes.readSlice(length: Int(length))
            else { return }
            readAdaptation(&field)
        }
        guard head & 0x10 != 0, !isDamaged, !isEncrypted, bytes.readableBytes > 0 else { return }
        payload = bytes
    }

    /// Reads the adaptation field (§2.4.3.4).
    private mutating func readAdaptation(_ field: inout ByteBuffer) {
        guard let flags = field.readInteger(as: UInt8.self) else { return }
        isDiscontinuous = flags & 0x80 != 0
        guard flags & 0x10 != 0, let high = field.readInteger(as: UInt32.self),
            let low = field.readInteger(as: UInt16.self)
        else { return }
        clock = UInt64(high) << 1 | UInt64(low >> 15)
    }
}
