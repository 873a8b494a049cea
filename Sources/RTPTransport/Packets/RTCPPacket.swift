package import NIOCore

/// One packet of a compound RTCP packet (RFC 3550 §6).
package enum RTCPPacket: Hashable, Sendable {
    case senderReport(RTCPSenderReport)
    case receiverReport(RTCPReceiverReport)
    /// A source description, of which only the canonical name is used.
    case sourceDescription(source: UInt32, canonicalName: String)
    case bye(sources: [UInt32])
    /// APP, feedback, or an unknown type.
    case other(packetType: UInt8)

    /// Parses a compound packet. Packets after a malformed one are omitted.
    ///
    /// - Throws: ``RTPParsingError`` if the first packet is malformed.
    package static func parseCompound(_ buffer: inout ByteBuffer) throws(RTPParsingError) -> [RTCPPacket] {
        var packets: [RTCPPacket] = []
        while buffer.readableBytes > 0 {
            do {
                packets.append(try parseOne(&buffer))
            } catch {
                guard !packets.isEmpty else { throw error }
                break
            }
        }
        return packets
    }

    private static func parseOne(_ buffer: inout ByteBuffer) throws(RTPParsingError) -> RTCPPacket {
        guard let (first, packetType, words) = buffer.readMultipleIntegers(as: (UInt8, UInt8, UInt16).self) else {
            throw RTPParsingError(.truncated, "RTCP header")
        }
        guard first >> 6 == 2 else { throw RTPParsingError(.unsupportedVersion, "RTCP header") }
        guard var content = buffer.readSlice(length: Int(words) * 4) else {
            throw RTPParsingError(.truncated, "RTCP packet")
        }
        let count = Int(first & 0x1F)
        switch packetType {
        case 200: return .senderReport(try RTCPSenderReport(parsing: &content, blockCount: count))
        case 201: return .receiverReport(try RTCPReceiverReport(parsing: &content, blockCount: count))
        case 202: return parseSourceDescription(&content) ?? .other(packetType: packetType)
        case 203: return .bye(sources: (0..<count).compactMap { _ in content.readInteger(as: UInt32.self) })
        default: return .other(packetType: packetType)
        }
    }

    /// Reads the CNAME item of the first chunk (RFC 3550 §6.5).
    private static func parseSourceDescription(_ content: inout ByteBuffer) -> RTCPPacket? {
        guard let source = content.readInteger(as: UInt32.self) else { return nil }
        while let type = content.readInteger(as: UInt8.self), type != 0,
            let length = content.readInteger(as: UInt8.self), let text = content.readString(length: Int(length))
        {
            if type == 1 { return .sourceDescription(source: source, canonicalName: text) }
        }
        return nil
    }

    /// Appends the packet; writes nothing for ``other(packetType:)``.
    package func write(into buffer: inout ByteBuffer) {
        switch self {
        case .senderReport(let report): report.write(into: &buffer)
        case .receiverReport(let report): report.write(into: &buffer)
        case .sourceDescription(let source, let name): Self.writeName(name, source: source, into: &buffer)
        case .bye(let sources):
            let listed = sources.prefix(31)
            writeRTCPHeader(count: listed.count, packetType: 203, words: listed.count, into: &buffer)
            for source in listed { buffer.writeInteger(source) }
        case .other: break
        }
    }

    private static func writeName(_ name: String, source: UInt32, into buffer: inout ByteBuffer) {
        let bytes = Array(name.utf8.prefix(255))
        // SSRC, item header, text and at least one null byte, padded to a multiple of four.
        let words = (4 + 2 + bytes.count + 1 + 3) / 4
        writeRTCPHeader(count: 1, packetType: 202, words: words, into: &buffer)
        buffer.writeInteger(source)
        buffer.writeMultipleIntegers(UInt8(1), UInt8(bytes.count))
        buffer.writeBytes(bytes)
        buffer.writeRepeatingByte(0, count: words * 4 - 6 - bytes.count)
    }
}

/// Writes an RTCP header (RFC 3550 §6.4.1): version 2, no padding, and the length after the header in 32-bit words.
func writeRTCPHeader(count: Int, packetType: UInt8, words: Int, into buffer: inout ByteBuffer) {
    buffer.writeMultipleIntegers(
        0x80 | UInt8(truncatingIfNeeded: count & 0x1F), packetType, UInt16(truncatingIfNeeded: words))
}
