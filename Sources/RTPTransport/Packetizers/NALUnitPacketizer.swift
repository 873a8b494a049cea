import Codecs
import MediaCore
import NIOCore

/// What RFC 6184 and RFC 7798 have in common: NAL units whole, aggregated, or in fragments.
protocol NALUnitPayloadSyntax: Sendable {
    /// Bytes of a NAL unit's header.
    static var headerByteCount: Int { get }
    /// Whether a packet may begin with such a header: types above are packet types.
    static func isNALUnit(firstByte: UInt8) -> Bool
    static func isParameterSet(firstByte: UInt8) -> Bool
    /// In front of an aggregate's units.
    static func writeAggregationHeader(into buffer: inout ByteBuffer)
    static var aggregationHeaderByteCount: Int { get }
    /// In front of a fragment.
    static func writeFragmentHeader(
        of header: (UInt8, UInt8), isStart: Bool, isEnd: Bool, into buffer: inout ByteBuffer)
    static var fragmentHeaderByteCount: Int { get }
}

/// Pictures as packets. Only parameter sets are aggregated: slices fill their packets, and a picture waits for none
/// of its parts.
struct NALUnitPacketizer<Syntax: NALUnitPayloadSyntax>: Sendable {
    /// Sent before each picture at which decoding can start, unless it has its own.
    let parameterSets: [[UInt8]]
    let limits: PacketizationLimits

    /// - Returns: the end of the picture has the marker bit.
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

    /// As many in a packet as fit.
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

/// RFC 6184, packetization mode 1: single NAL unit packets, STAP-A, FU-A.
enum H264PayloadSyntax: NALUnitPayloadSyntax {
    static let headerByteCount = 1
    static let aggregationHeaderByteCount = 1
    static let fragmentHeaderByteCount = 2

    /// §5.2: types 24 and up are packets'; 0 is undefined.
    static func isNALUnit(firstByte: UInt8) -> Bool { (1...23).contains(firstByte & 0x1F) }

    static func isParameterSet(firstByte: UInt8) -> Bool {
        H264NALUnitType(headerByte: firstByte) == .sequenceParameterSet
    }

    /// §5.7.1: STAP-A is 24; the importance of parameter sets is the highest.
    static func writeAggregationHeader(into buffer: inout ByteBuffer) { buffer.writeInteger(UInt8(0x60 | 24)) }

    /// §5.8: FU-A is 28.
    static func writeFragmentHeader(
        of header: (UInt8, UInt8), isStart: Bool, isEnd: Bool, into buffer: inout ByteBuffer
    ) {
        buffer.writeMultipleIntegers(
            header.0 & 0xE0 | 28, (isStart ? 0x80 : 0) | (isEnd ? 0x40 : 0) | header.0 & 0x1F)
    }
}

/// RFC 7798 without decoding order numbers: single NAL unit packets, aggregation packets, fragmentation units.
enum HEVCPayloadSyntax: NALUnitPayloadSyntax {
    static let headerByteCount = 2
    static let aggregationHeaderByteCount = 2
    static let fragmentHeaderByteCount = 3

    /// §4.4: types 48 and up are packets'.
    static func isNALUnit(firstByte: UInt8) -> Bool { HEVCNALUnitType.type(headerByte: firstByte) < 48 }

    static func isParameterSet(firstByte: UInt8) -> Bool {
        HEVCNALUnitType.type(headerByte: firstByte) == HEVCNALUnitType.sequenceParameterSet
    }

    /// §4.4.2: an AP is 48; parameter sets are of layer 0 and temporal sub-layer 1.
    static func writeAggregationHeader(into buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(UInt8(48 << 1), UInt8(1))
    }

    /// §4.4.3: an FU is 49, with the layer and sub-layer of its unit.
    static func writeFragmentHeader(
        of header: (UInt8, UInt8), isStart: Bool, isEnd: Bool, into buffer: inout ByteBuffer
    ) {
        buffer.writeMultipleIntegers(
            header.0 & 0x81 | 49 << 1, header.1,
            (isStart ? 0x80 : 0) | (isEnd ? 0x40 : 0) | HEVCNALUnitType.type(headerByte: header.0))
    }
}
