import Codecs
import MediaCore
import NIOCore

/// The differences between RFC 6184 and RFC 7798 in the packetization of NAL units: single, aggregated, or in
/// fragments.
protocol NALUnitPayloadSyntax: Sendable {
    /// Size of a NAL unit header in bytes.
    static var headerByteCount: Int { get }
    /// Whether a header is that of a NAL unit; higher types denote packet structures.
    static func isNALUnit(firstByte: UInt8) -> Bool
    static func isParameterSet(firstByte: UInt8) -> Bool
    /// Writes the header before the units of an aggregation packet.
    static func writeAggregationHeader(into buffer: inout ByteBuffer)
    static var aggregationHeaderByteCount: Int { get }
    /// Writes the header before a fragment.
    static func writeFragmentHeader(
        of header: (UInt8, UInt8), isStart: Bool, isEnd: Bool, into buffer: inout ByteBuffer)
    static var fragmentHeaderByteCount: Int { get }
}

/// Packetizes pictures. Only parameter sets are aggregated: slices fill their packets, and waiting to aggregate them
/// would add delay.
struct NALUnitPacketizer<Syntax: NALUnitPayloadSyntax>: Sendable {
    /// Parameter sets that are sent before each random access point that does not contain its own.
    let parameterSets: [[UInt8]]
    let limits: PacketizationLimits

    /// Packetizes a picture; its last packet has the marker bit.
    func packetize(
        _ unit: AccessUnit, rtpTimestamp: UInt32, stream: inout RTPPacketStream, into batch: inout RTPPacketBatch
    ) {
        guard case .nalUnits(let units) = unit.payload else { return }
        let sendable = units.filter { unit in
            unit.byteCount >= Syntax.headerByteCount && unit.firstByte.map(Syntax.isNALUnit) == true
        }
        guard let last = sendable.indices.last else { return }
        if unit.isRandomAccessPoint, !sendable.contains(where: { $0.firstByte.map(Syntax.isParameterSet) == true }) {
            packetizeParameterSets(rtpTimestamp: rtpTimestamp, stream: &stream, into: &batch)
        }
        for (index, unit) in sendable.enumerated() {
            packetize(unit, isLast: index == last, rtpTimestamp: rtpTimestamp, stream: &stream, into: &batch)
        }
    }

    private func packetize(
        _ unit: FragmentedNALUnit, isLast: Bool, rtpTimestamp: UInt32, stream: inout RTPPacketStream,
        into batch: inout RTPPacketBatch
    ) {
        let limit = limits.maximumPayloadByteCount
        guard unit.byteCount > limit else {
            stream.appendPacket(to: &batch, marker: isLast, rtpTimestamp: rtpTimestamp) { unit.write(into: &$0) }
            return
        }
        var cursor = NALUnitCursor(unit)
        var header: (UInt8, UInt8) = (cursor.readByte() ?? 0, 0)
        if Syntax.headerByteCount == 2 { header.1 = cursor.readByte() ?? 0 }
        var isStart = true
        while cursor.remainingByteCount > 0 {
            let count = min(cursor.remainingByteCount, limit - Syntax.fragmentHeaderByteCount)
            let isEnd = count == cursor.remainingByteCount
            stream.appendPacket(to: &batch, marker: isLast && isEnd, rtpTimestamp: rtpTimestamp) { buffer in
                Syntax.writeFragmentHeader(of: header, isStart: isStart, isEnd: isEnd, into: &buffer)
                cursor.write(count, into: &buffer)
            }
            isStart = false
        }
    }

    /// Sends parameter sets, as many per packet as fit.
    private func packetizeParameterSets(
        rtpTimestamp: UInt32, stream: inout RTPPacketStream, into batch: inout RTPPacketBatch
    ) {
        let limit = limits.maximumPayloadByteCount
        var rest = parameterSets[...]
        while let first = rest.first {
            var byteCount = Syntax.aggregationHeaderByteCount
            let group = rest.prefix { set in
                byteCount += 2 + set.count
                return byteCount <= limit
            }
            if group.count > 1 {
                stream.appendPacket(to: &batch, marker: false, rtpTimestamp: rtpTimestamp) { buffer in
                    Syntax.writeAggregationHeader(into: &buffer)
                    for set in group {
                        buffer.writeInteger(UInt16(clamping: set.count))
                        buffer.writeBytes(set)
                    }
                }
                rest = rest.dropFirst(group.count)
            } else {
                packetize(
                    FragmentedNALUnit(ByteBuffer(bytes: first)), isLast: false, rtpTimestamp: rtpTimestamp,
                    stream: &stream, into: &batch)
                rest = rest.dropFirst()
            }
        }
    }
}

/// Payload syntax of H.264 in packetization mode 1 (RFC 6184): single NAL unit packets, STAP-A, FU-A.
enum H264PayloadSyntax: NALUnitPayloadSyntax {
    static let headerByteCount = 1
    static let aggregationHeaderByteCount = 1
    static let fragmentHeaderByteCount = 2

    /// Types from 24 denote packet structures; 0 is undefined (RFC 6184 §5.2).
    static func isNALUnit(firstByte: UInt8) -> Bool { (1...23).contains(firstByte & 0x1F) }

    static func isParameterSet(firstByte: UInt8) -> Bool {
        H264NALUnitType(headerByte: firstByte) == .sequenceParameterSet
    }

    /// Writes the header of STAP-A, type 24, with the highest NRI because it holds parameter sets (RFC 6184 §5.7.1).
    static func writeAggregationHeader(into buffer: inout ByteBuffer) { buffer.writeInteger(UInt8(0x60 | 24)) }

    /// Writes the header of FU-A, type 28 (RFC 6184 §5.8).
    static func writeFragmentHeader(
        of header: (UInt8, UInt8), isStart: Bool, isEnd: Bool, into buffer: inout ByteBuffer
    ) {
        buffer.writeMultipleIntegers(
            header.0 & 0xE0 | 28, (isStart ? 0x80 : 0) | (isEnd ? 0x40 : 0) | header.0 & 0x1F)
    }
}

/// Payload syntax of HEVC without decoding order numbers (RFC 7798): single NAL unit packets, aggregation packets,
/// fragmentation units.
enum HEVCPayloadSyntax: NALUnitPayloadSyntax {
    static let headerByteCount = 2
    static let aggregationHeaderByteCount = 2
    static let fragmentHeaderByteCount = 3

    /// Types from 48 denote packet structures (RFC 7798 §4.4).
    static func isNALUnit(firstByte: UInt8) -> Bool { HEVCNALUnitType.type(headerByte: firstByte) < 48 }

    static func isParameterSet(firstByte: UInt8) -> Bool {
        HEVCNALUnitType.type(headerByte: firstByte) == HEVCNALUnitType.sequenceParameterSet
    }

    /// Writes the header of an aggregation packet, type 48. Parameter sets have layer 0 and temporal sub-layer 1 (RFC
    /// 7798 §4.4.2).
    static func writeAggregationHeader(into buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(UInt8(48 << 1), UInt8(1))
    }

    /// Writes the header of a fragmentation unit, type 49, with layer and sub-layer of its NAL unit (RFC 7798
    /// §4.4.3).
    static func writeFragmentHeader(
        of header: (UInt8, UInt8), isStart: Bool, isEnd: Bool, into buffer: inout ByteBuffer
    ) {
        buffer.writeMultipleIntegers(
            header.0 & 0x81 | 49 << 1, header.1,
            (isStart ? 0x80 : 0) | (isEnd ? 0x40 : 0) | HEVCNALUnitType.type(headerByte: header.0))
    }
}
