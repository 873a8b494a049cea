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

/// A sender report (RFC 3550 §6.4.1), which relates RTP timestamps to wall-clock time.
package struct RTCPSenderReport: Hashable, Sendable {
    package var source: UInt32
    package var ntpTimestamp: NTPTimestamp
    package var rtpTimestamp: UInt32
    /// Number of packets sent since the start.
    package var packetCount: UInt32
    /// Number of payload bytes sent since the start.
    package var octetCount: UInt32

    package init(
        source: UInt32, ntpTimestamp: NTPTimestamp, rtpTimestamp: UInt32, packetCount: UInt32 = 0,
        octetCount: UInt32 = 0
    ) {
        self.source = source
        self.ntpTimestamp = ntpTimestamp
        self.rtpTimestamp = rtpTimestamp
        self.packetCount = packetCount
        self.octetCount = octetCount
    }

    fileprivate init(parsing content: inout ByteBuffer, blockCount: Int) throws(RTPParsingError) {
        guard
            let (source, ntp, rtp, packets, octets) = content.readMultipleIntegers(
                as: (UInt32, UInt64, UInt32, UInt32, UInt32).self)
        else { throw RTPParsingError(.truncated, "sender report") }
        self.init(
            source: source, ntpTimestamp: NTPTimestamp(rawValue: ntp), rtpTimestamp: rtp, packetCount: packets,
            octetCount: octets)
    }

    fileprivate func write(into buffer: inout ByteBuffer) {
        writeRTCPHeader(count: 0, packetType: 200, words: 6, into: &buffer)
        buffer.writeMultipleIntegers(source, ntpTimestamp.rawValue, rtpTimestamp, packetCount, octetCount)
    }
}

/// A receiver report (RFC 3550 §6.4.2).
package struct RTCPReceiverReport: Hashable, Sendable {
    package var source: UInt32
    package var blocks: [RTCPReportBlock]

    package init(source: UInt32, blocks: [RTCPReportBlock]) {
        self.source = source
        self.blocks = blocks
    }

    fileprivate init(parsing content: inout ByteBuffer, blockCount: Int) throws(RTPParsingError) {
        guard let source = content.readInteger(as: UInt32.self) else {
            throw RTPParsingError(.truncated, "receiver report")
        }
        self.source = source
        blocks = []
        for _ in 0..<blockCount { blocks.append(try RTCPReportBlock(parsing: &content)) }
    }

    fileprivate func write(into buffer: inout ByteBuffer) {
        let listed = blocks.prefix(31)
        writeRTCPHeader(count: listed.count, packetType: 201, words: 1 + 6 * listed.count, into: &buffer)
        buffer.writeInteger(source)
        for block in listed { block.write(into: &buffer) }
    }
}

/// A receiver's statistics about one source (RFC 3550 §6.4.1).
package struct RTCPReportBlock: Hashable, Sendable {
    package var source: UInt32
    /// Fraction of packets lost since the last report, in 1/256.
    package var fractionLost: UInt8
    /// Number of packets lost in total, as a signed 24-bit value; duplicates can make it negative.
    package var cumulativeLost: Int32
    package var extendedHighestSequenceNumber: UInt32
    /// Interarrival jitter in ticks of the source's clock.
    package var interarrivalJitter: UInt32
    /// Middle 32 bits of the last sender report's NTP timestamp.
    package var lastSenderReport: UInt32
    /// Time since the last sender report, in units of 1/65536 s.
    package var delaySinceLastSenderReport: UInt32

    package init(
        source: UInt32, fractionLost: UInt8, cumulativeLost: Int32, extendedHighestSequenceNumber: UInt32,
        interarrivalJitter: UInt32, lastSenderReport: UInt32, delaySinceLastSenderReport: UInt32
    ) {
        self.source = source
        self.fractionLost = fractionLost
        self.cumulativeLost = cumulativeLost
        self.extendedHighestSequenceNumber = extendedHighestSequenceNumber
        self.interarrivalJitter = interarrivalJitter
        self.lastSenderReport = lastSenderReport
        self.delaySinceLastSenderReport = delaySinceLastSenderReport
    }

    fileprivate init(parsing content: inout ByteBuffer) throws(RTPParsingError) {
        guard
            let (source, lost, highest, jitter, last, delay) = content.readMultipleIntegers(
                as: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32).self)
        else { throw RTPParsingError(.truncated, "report block") }
        self.init(
            source: source, fractionLost: UInt8(lost >> 24),
            cumulativeLost: Int32(bitPattern: lost << 8) >> 8, extendedHighestSequenceNumber: highest,
            interarrivalJitter: jitter, lastSenderReport: last, delaySinceLastSenderReport: delay)
    }

    fileprivate func write(into buffer: inout ByteBuffer) {
        let lost = max(-0x80_0000, min(0x7F_FFFF, cumulativeLost))
        buffer.writeMultipleIntegers(
            source, UInt32(fractionLost) << 24 | UInt32(bitPattern: lost) & 0xFF_FFFF,
            extendedHighestSequenceNumber, interarrivalJitter, lastSenderReport, delaySinceLastSenderReport)
    }
}

/// Writes an RTCP header (RFC 3550 §6.4.1): version 2, no padding, and the length after the header in 32-bit words.
private func writeRTCPHeader(count: Int, packetType: UInt8, words: Int, into buffer: inout ByteBuffer) {
    buffer.writeMultipleIntegers(
        0x80 | UInt8(truncatingIfNeeded: count & 0x1F), packetType, UInt16(truncatingIfNeeded: words))
}
