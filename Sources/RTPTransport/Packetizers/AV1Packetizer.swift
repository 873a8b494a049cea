import Codecs
import MediaCore
import NIOCore

/// Packetizes AV1 (RTP Payload Format For AV1, version 1.0, AOM): the OBUs of a temporal unit without their sizes,
/// each in one packet or in several.
struct AV1Packetizer: Sendable {
    /// OBUs from `av1C` that are sent before key frames without a sequence header.
    let configurationOBUs: [UInt8]
    let limits: PacketizationLimits

    private struct OBU {
        /// One or two bytes, without the flag that announces a size.
        var header: [UInt8]
        var payload: ByteBuffer

        var byteCount: Int { header.count + payload.readableBytes }
        var type: UInt8 { AV1OBUType.type(headerByte: header[0]) }
    }

    func packetize(
        _ unit: AccessUnit, rtpTimestamp: UInt32, stream: inout RTPPacketStream, into batch: inout RTPPacketBatch
    ) {
        guard case .frame(let frame) = unit.payload, var obus = Self.obus(in: frame), !obus.isEmpty else { return }
        if unit.isRandomAccessPoint, !obus.contains(where: { $0.type == AV1OBUType.sequenceHeader }) {
            obus = (Self.obus(in: ByteBuffer(bytes: configurationOBUs)) ?? []) + obus
        }
        for (index, obu) in obus.enumerated() {
            packetize(
                obu, isFirst: index == 0 && unit.isRandomAccessPoint, isLast: index == obus.count - 1,
                rtpTimestamp: rtpTimestamp, stream: &stream, into: &batch)
        }
    }

    /// Sends one OBU (§4.4). Z and Y state that the OBU continues from the previous packet and into the next one; W,
    /// that it is the only one; N, that a coded video sequence starts.
    private func packetize(
        _ obu: OBU, isFirst: Bool, isLast: Bool, rtpTimestamp: UInt32, stream: inout RTPPacketStream,
        into batch: inout RTPPacketBatch
    ) {
        let limit = limits.maximumPayloadByteCount - 1
        var rest = obu.payload
        var isStart = true
        repeat {
            let headerByteCount = isStart ? obu.header.count : 0
            let count = min(rest.readableBytes, limit - headerByteCount)
            guard let piece = rest.readSlice(length: count) else { return }
            let isEnd = rest.readableBytes == 0
            stream.appendPacket(to: &batch, marker: isLast && isEnd, rtpTimestamp: rtpTimestamp) { buffer in
                buffer.writeInteger(
                    (isStart ? 0 : 0x80) | (isEnd ? 0 : 0x40) | 0x10 | (isFirst && isStart ? 0x08 : 0) as UInt8)
                if isStart { buffer.writeBytes(obu.header) }
                buffer.writeImmutableBuffer(piece)
            }
            isStart = false
        } while rest.readableBytes > 0
    }

    /// Splits a temporal unit into OBUs (AV1 bitstream specification §5.3). Temporal delimiters, padding and tile
    /// lists are not sent (§5 of the payload format).
    ///
    /// - Returns: `nil` if the bytes are not OBUs with sizes.
    private static func obus(in frame: ByteBuffer) -> [OBU]? {
        var frame = frame
        var obus: [OBU] = []
        while let first = frame.readInteger(as: UInt8.self) {
            var header = [first & ~2]
            if first & 4 != 0 {
                guard let layers = frame.readInteger(as: UInt8.self) else { return nil }
                header.append(layers)
            }
            guard first & 2 != 0, let size = frame.readLittleEndianBase128(),
                let payload = frame.readSlice(length: size)
            else { return nil }
            let obu = OBU(header: header, payload: payload)
            if ![AV1OBUType.temporalDelimiter, AV1OBUType.tileList, AV1OBUType.padding].contains(obu.type) {
                obus.append(obu)
            }
        }
        return obus
    }
}
