package import NIOCore

/// Makes transport streams that were muxed one by one, in any order, continuous in their continuity counters (ISO/IEC
/// 13818-1 §2.4.3.3; HLS Authoring Specification 7.3).
///
/// A counter goes from 0 to 15 and counts packets with payload. In every segment each elementary stream gets a multiple
/// of sixteen such packets, so its counter starts at 0 and ends at 15, whatever came before. Missing packets are
/// created by splitting a packet's payload among several, the rest of each filled with stuffing bytes in an adaptation
/// field (§2.4.3.5). PAT and PMT have one packet each, whose counter is the last four bits of the media sequence
/// number.
package enum TransportStreamContinuity {
    package static let packetByteCount = 188
    private static let syncByte: UInt8 = 0x47
    private static let headerByteCount = 4
    /// The largest number of packets that are added to a stream.
    private static let maximumPacketCount = 15
    /// The average growth of a stream: seven and a half packets.
    static let averagePaddingByteCount = packetByteCount * maximumPacketCount / 2
    /// The payload that stays in a packet that is split, so that no PES header (§2.4.3.6) is split.
    private static let minimumFirstPayloadByteCount = 32

    private static let programAssociationPID = 0
    /// The first PID after the reserved ones; service descriptions and other DVB tables lie below, and no HLS player
    /// needs them.
    private static let firstFreePID = 0x20

    /// The bytes are not a sequence of transport stream packets.
    package struct MalformedStream: Error {}

    private struct Packet {
        var bytes: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) throws(MalformedStream) {
            guard bytes.first == syncByte, bytes.count == packetByteCount else { throw MalformedStream() }
            self.bytes = bytes
            guard payloadStart <= packetByteCount else { throw MalformedStream() }
        }

        private func byte(_ offset: Int) -> UInt8 { bytes[bytes.startIndex + offset] }

        var pid: Int { Int(byte(1) & 0x1F) << 8 | Int(byte(2)) }
        var startsUnit: Bool { byte(1) & 0x40 != 0 }
        var hasPayload: Bool { byte(3) & 0x10 != 0 }
        var hasAdaptationField: Bool { byte(3) & 0x20 != 0 }
        /// The bytes after adaptation_field_length.
        var adaptationField: ArraySlice<UInt8> {
            guard hasAdaptationField else { return [] }
            let start = bytes.startIndex + headerByteCount + 1
            return bytes[start..<min(bytes.endIndex, start + Int(byte(4)))]
        }
        var payloadStart: Int { headerByteCount + (hasAdaptationField ? 1 + Int(byte(4)) : 0) }
        var payload: ArraySlice<UInt8> { hasPayload ? bytes[(bytes.startIndex + payloadStart)...] : [] }

        func canBeDivided(by count: Int) -> Bool {
            hasPayload && payload.count >= count + minimumFirstPayloadByteCount
        }
    }

    /// Renumbers a segment's packets so that it continues any other segment.
    ///
    /// - Parameters:
    ///   - stream: PAT, PMT and elementary streams in whole packets. Its memory is free for the result if nobody else
    ///     holds it.
    ///   - mediaSequence: The media sequence number of the segment.
    package static func joined(_ stream: consuming ByteBuffer, mediaSequence: Int) throws(MalformedStream) -> ByteBuffer
    {
        let bytes = Array(stream.readableBytesView)
        stream = ByteBuffer()
        let packets = try packets(of: bytes)
        let programMapPID = packets.first { $0.pid == programAssociationPID }.flatMap(programMapPID)
        let tables = [programAssociationPID, programMapPID ?? programAssociationPID]
        var missing = missingCounts(packets.lazy.filter { !tables.contains($0.pid) })
        var counters: [Int: UInt8] = [:]
        var writtenTables: Set<Int> = []
        var result = ByteBuffer()
        result.reserveCapacity(bytes.count + missing.values.reduce(0, +) * packetByteCount)
        for packet in packets {
            if tables.contains(packet.pid) {
                guard writtenTables.insert(packet.pid).inserted else { continue }
                write(packet.bytes, counter: UInt8(truncatingIfNeeded: mediaSequence) & 0xF, into: &result)
                continue
            }
            guard packet.pid >= firstFreePID else { continue }
            // The previous packet's counter, which packets without payload repeat.
            var counter = counters[packet.pid] ?? 15
            defer { counters[packet.pid] = counter }
            guard packet.hasPayload else {
                write(packet.bytes, counter: counter, into: &result)
                continue
            }
            let count = missing[packet.pid] ?? 0
            if count > 0, packet.canBeDivided(by: count) {
                missing[packet.pid] = 0
                divide(packet, by: count, counter: &counter, into: &result)
            } else {
                counter = (counter + 1) & 0xF
                write(packet.bytes, counter: counter, into: &result)
            }
        }
        return result
    }

    private static func packets(of bytes: [UInt8]) throws(MalformedStream) -> [Packet] {
        guard bytes.count % packetByteCount == 0 else { throw MalformedStream() }
        var packets: [Packet] = []
        packets.reserveCapacity(bytes.count / packetByteCount)
        for start in stride(from: 0, to: bytes.count, by: packetByteCount) {
            packets.append(try Packet(bytes[start..<(start + packetByteCount)]))
        }
        return packets
    }

    /// The PID of a PAT's first program (§2.4.4.3).
    private static func programMapPID(_ packet: Packet) -> Int? {
        let payload = Array(packet.payload)
        // The pointer_field, then eight bytes up to the programs, of four bytes each.
        guard let pointer = payload.first.map({ Int($0) }), payload.count >= 1 + pointer + 8 + 4 else { return nil }
        let program = 1 + pointer + 8
        return Int(payload[program + 2] & 0x1F) << 8 | Int(payload[program + 3])
    }

    /// The number of packets with payload that each PID lacks to a multiple of sixteen.
    private static func missingCounts(_ packets: some Sequence<Packet>) -> [Int: Int] {
        var counts: [Int: Int] = [:]
        for packet in packets where packet.hasPayload { counts[packet.pid, default: 0] += 1 }
        return counts.mapValues { (16 - $0 % 16) % 16 }
    }

    private static func write(_ packet: ArraySlice<UInt8>, counter: UInt8, into result: inout ByteBuffer) {
        let start = result.writerIndex
        result.writeBytes(packet)
        result.setInteger(packet[packet.startIndex + 3] & 0xF0 | counter, at: start + 3)
    }

    /// Writes the packet with `count` bytes less of payload, and a packet for each of those bytes.
    private static func divide(_ packet: Packet, by count: Int, counter: inout UInt8, into result: inout ByteBuffer) {
        let (first, rest) = (packet.payload.dropLast(count), packet.payload.suffix(count))
        let header = Array(packet.bytes.prefix(headerByteCount))
        counter = (counter + 1) & 0xF
        write(header, packet.adaptationField, first, counter: counter, into: &result)
        for byte in rest {
            counter = (counter + 1) & 0xF
            // Only the first packet starts a PES packet.
            let continued = [header[0], header[1] & ~0x40, header[2], header[3]]
            write(continued, [], [byte], counter: counter, into: &result)
        }
    }

    private static func write(
        _ header: [UInt8], _ adaptationField: ArraySlice<UInt8>, _ payload: ArraySlice<UInt8>, counter: UInt8,
        into result: inout ByteBuffer
    ) {
        result.writeBytes(header[..<3])
        // The flags say: not scrambled, adaptation field and payload (§2.4.3.3).
        result.writeInteger(0x30 | counter)
        let byteCount = packetByteCount - headerByteCount - 1 - payload.count
        result.writeInteger(UInt8(truncatingIfNeeded: byteCount))
        // An adaptation field of stuffing bytes only has no flags.
        let field = adaptationField.isEmpty && byteCount > 0 ? [0] : adaptationField
        result.writeBytes(field)
        result.writeRepeatingByte(0xFF, count: byteCount - field.count)
        result.writeBytes(payload)
    }
}
