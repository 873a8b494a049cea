import NIOCore

/// Writes sections and PES packets as packets of 188 bytes (ISO/IEC 13818-1 §2.4.3).
struct TSPacketWriter: Sendable {
    private static let headerByteCount = 4
    /// Bytes of the length, the flags and the clock in an adaptation field.
    private static let clockByteCount = 8

    private var counters: [UInt16: UInt8] = [:]

    /// Writes a unit.
    ///
    /// - Parameters:
    ///   - content: a section with its pointer, or a PES packet.
    ///   - identifier: the stream.
    ///   - clock: the clock of the programme in units of 90 kHz; `nil` for none.
    ///   - isRandomAccess: whether decoding can begin there.
    ///   - fillsSection: whether the rest of the last packet is filled as behind a section.
    ///   - output: gets the packets.
    mutating func write(
        _ content: ByteBuffer, identifier: UInt16, clock: Int64? = nil, isRandomAccess: Bool = false,
        fillsSection: Bool = false, into output: inout ByteBuffer
    ) {
        var (content, isFirst) = (content, true)
        while content.readableBytes > 0 {
            let hasField = isFirst && (clock != nil || isRandomAccess)
            let fieldByteCount = hasField ? (clock != nil ? Self.clockByteCount : 2) : 0
            let room = TSPacket.byteCount - Self.headerByteCount - fieldByteCount
            let stuffing = fillsSection ? 0 : max(0, room - content.readableBytes)
            let field = fieldByteCount + stuffing
            let counter = counters[identifier, default: 0]
            counters[identifier] = (counter + 1) & 0xF
            output.writeInteger(TSPacket.syncByte)
            output.writeInteger((isFirst ? 0x4000 : 0) | identifier)
            output.writeInteger((field > 0 ? 0x30 : 0x10) | counter)
            if field > 0 {
                writeField(field, clock: isFirst ? clock : nil, isRandomAccess: isFirst && isRandomAccess, &output)
            }
            let count = min(content.readableBytes, TSPacket.byteCount - Self.headerByteCount - field)
            if var piece = content.readSlice(length: count) { output.writeBuffer(&piece) }
            let rest = TSPacket.byteCount - Self.headerByteCount - field - count
            if rest > 0 { output.writeRepeatingByte(0xFF, count: rest) }
            isFirst = false
        }
    }

    /// Writes an adaptation field of a size (§2.4.3.4).
    private func writeField(_ byteCount: Int, clock: Int64?, isRandomAccess: Bool, _ output: inout ByteBuffer) {
        output.writeInteger(UInt8(byteCount - 1))
        guard byteCount > 1 else { return }
        output.writeInteger((isRandomAccess ? 0x40 : 0) | (clock != nil ? 0x10 : 0) as UInt8)
        var written = 2
        if let clock {
            let base = UInt64(bitPattern: clock) & 0x1_FFFF_FFFF
            output.writeInteger(UInt32(truncatingIfNeeded: base >> 1))
            output.writeInteger(UInt16(truncatingIfNeeded: (base & 1) << 15 | 0x7E00))
            written = Self.clockByteCount
        }
        output.writeRepeatingByte(0xFF, count: byteCount - written)
    }
}
