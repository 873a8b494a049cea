import MediaCore
import NIOCore
import RTPTransport
import Testing

struct PacketTests {
    @Test func readsAllPartsOfAPacket() throws {
        var buffer = ByteBuffer(bytes: [
            0xB1, 0xE0, 0x12, 0x34, 0, 0, 0, 9, 1, 2, 3, 4,  // version 2, padding, extension, one CSRC; marker, 96
            9, 9, 9, 9, 0xBE, 0xDE, 0, 1, 5, 5, 5, 5,  // CSRC, extension of one word
            0xAA, 0xBB, 0, 0, 3,  // payload, three bytes of padding
        ])
        let packet = try RTPPacket(parsing: &buffer)
        #expect(packet.payloadType == 96 && packet.marker && packet.sequenceNumber == 0x1234)
        #expect(packet.rtpTimestamp == 9 && packet.synchronizationSource == 0x0102_0304)
        #expect(packet.payload == ByteBuffer(bytes: [0xAA, 0xBB]))
        #expect(buffer.readableBytes == 0)
    }

    @Test(
        arguments: [
            [], [0x80], [0x40, 96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0x8F, 96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [0x90, 96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0x90, 96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF],
            [0xA0, 96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0xA0, 96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 9],
            [0xA0, 96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0],
        ] as [[UInt8]])
    func refusesWhatIsNoPacket(bytes: [UInt8]) {
        var buffer = ByteBuffer(bytes: bytes)
        #expect(throws: RTPParsingError.self) { try RTPPacket(parsing: &buffer) }
    }

    @Test func writesPacketsThatItReads() throws {
        let packet = RTPPacket(
            payloadType: 97, marker: true, sequenceNumber: 65_535, rtpTimestamp: .max, synchronizationSource: 7,
            payload: ByteBuffer(string: "abc"))
        var buffer = ByteBuffer()
        packet.write(into: &buffer)
        #expect(try RTPPacket(parsing: &buffer) == packet)
    }

    static let block = RTCPReportBlock(
        source: 1, fractionLost: 3, cumulativeLost: -2, extendedHighestSequenceNumber: 4, interarrivalJitter: 5,
        lastSenderReport: 6, delaySinceLastSenderReport: 7)
    static let compound: [RTCPPacket] = [
        .senderReport(
            RTCPSenderReport(source: 9, ntpTimestamp: NTPTimestamp(rawValue: 1 << 40), rtpTimestamp: 8, packetCount: 2)),
        .receiverReport(RTCPReceiverReport(source: 9, blocks: [block, block])),
        .sourceDescription(source: 9, canonicalName: "name"), .bye(sources: [9, 10]),
    ]

    @Test func writesControlPacketsThatItReads() throws {
        var buffer = ByteBuffer()
        for packet in Self.compound { packet.write(into: &buffer) }
        #expect(buffer.readableBytes % 4 == 0)
        #expect(try RTCPPacket.parseCompound(&buffer) == Self.compound)
    }

    @Test func anyPrefixOfACompoundIsHarmless() throws {
        var whole = ByteBuffer()
        for packet in Self.compound { packet.write(into: &whole) }
        for count in 1..<whole.readableBytes {
            var part = try #require(whole.getSlice(at: 0, length: count))
            let packets = (try? RTCPPacket.parseCompound(&part)) ?? []
            #expect(packets == Array(Self.compound.prefix(packets.count)))
        }
    }

    @Test(arguments: [0, 1, 1_700_000_000_123_456_789, 1_999_999_999_999_999_999] as [Int64])
    func keepsWallClockTimes(nanoseconds: Int64) {
        let timestamp = NTPTimestamp(nanosecondsSince1970: nanoseconds)
        #expect(abs(timestamp.nanosecondsSince1970 - nanoseconds) <= 1)
    }
}
