import Codecs
import MediaCore
import NIOCore

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
