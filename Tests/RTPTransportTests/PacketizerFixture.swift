import Codecs
import MediaCore
import NIOCore
import RTPTransport

/// Units to packetize, and checks of the resulting packets.
enum PacketizerFixture {
    /// Parameter sets for 640 × 480 baseline, as in DepacketizerTests, and those of x265 for HEVC, as in CodecsTests.
    static let sps: [UInt8] = [0x67, 0x42, 0xC0, 0x1E, 0xD9, 0x01, 0x40, 0x7B, 0x20]
    static let pps: [UInt8] = [0x68, 0xCB, 0x8C, 0xB2]
    static let hevcVPS = bytes("40010c01ffff01600000030090000003000003007b959409")
    static let hevcSPS = bytes(
        "42010101600000030090000003000003007ba003c0801107cb965654a4c2f0168080000003008000001904")
    static let hevcPPS = bytes("4401c073c189")

    static func h264() throws -> RTPPayloadFormat {
        .h264(try H264Configuration(sequenceParameterSets: [sps], pictureParameterSets: [pps]))
    }

    static func hevc() throws -> RTPPayloadFormat {
        .hevc(
            try HEVCConfiguration(
                videoParameterSets: [hevcVPS], sequenceParameterSets: [hevcSPS], pictureParameterSets: [hevcPPS]))
    }

    static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }

    static func packetizer(
        _ format: RTPPayloadFormat, channel: UInt8 = 0, seed: UInt64 = 1, timescale: Timescale? = nil
    ) -> RTPPacketizer {
        var generator = FixedGenerator(value: seed)
        let stream = RTPPacketStream(payloadType: 96, clock: format.clock, channel: channel, using: &generator)
        return RTPPacketizer(format: format, timescale: timescale ?? format.clock, stream: stream)
    }

    static func unit(_ payload: SamplePayload, at time: Int64 = 0, isKey: Bool = true) -> AccessUnit {
        AccessUnit(decodeTime: time, presentationTime: time, isRandomAccessPoint: isKey, payload: payload)
    }

    /// A NAL unit of `byteCount` bytes in fragments of different sizes, with or without a restored header.
    static func nalUnit(header: [UInt8], byteCount: Int, isRestored: Bool) -> FragmentedNALUnit {
        // Its first bit marks the start of a picture in either codec.
        let body = (0..<max(0, byteCount - header.count)).map { $0 == 0 ? 0x80 : UInt8(truncatingIfNeeded: $0 &* 7) }
        guard isRestored else { return FragmentedNALUnit(fragments: pieces(header + body)) }
        let restored: FragmentedNALUnit.RestoredHeader =
            header.count == 1 ? .oneByte(header[0]) : .twoBytes(UInt16(header[0]) << 8 | UInt16(header[1]))
        return FragmentedNALUnit(restoredHeader: restored, fragments: pieces(body))
    }

    private static func pieces(_ bytes: [UInt8]) -> [ByteBuffer] {
        var pieces: [ByteBuffer] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            pieces.append(ByteBuffer(bytes: rest.prefix(1 + pieces.count * 333)))
            rest = rest.dropFirst(1 + pieces.count * 333 - 333)
        }
        return pieces
    }

    /// Parses packets as a receiver does, and checks the properties that every batch must have.
    static func packets(_ batch: RTPPacketBatch) throws -> [RTPPacket] {
        try batch.packets.map { packet in
            var packet = packet
            return try RTPPacket(parsing: &packet)
        }
    }

    static func stored(_ payload: SamplePayload) -> [UInt8] {
        var buffer = ByteBuffer()
        payload.write(into: &buffer)
        return Array(buffer.readableBytesView)
    }
}

/// A generator that always returns the same number.
struct FixedGenerator: RandomNumberGenerator {
    var value: UInt64

    mutating func next() -> UInt64 { value }
}
