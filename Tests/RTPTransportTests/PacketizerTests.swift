import Codecs
import MediaCore
import NIOCore
import RTPTransport
import Testing

struct PacketizerTests {
    /// Size of the payload in a packet of 1400 bytes.
    static let payload = 1_400 - 12
    /// Sizes around the limits at which one more packet is needed.
    static let nalUnitSizes =
        [2, 3, 4, 100]
        + [payload, 2 * (payload - 2), 2 * (payload - 3), 5 * (payload - 2)].flatMap { size in
            (-3...5).map { size + $0 }
        } + [200_000]

    @Test(arguments: nalUnitSizes)
    func h264ComesBackFromOurDepacketizer(_ size: Int) throws {
        var packetizer = PacketizerFixture.packetizer(try PacketizerFixture.h264())
        var sent: [[UInt8]] = []
        var all: [RTPPacket] = []
        for (index, isRestored) in [true, false].enumerated() {
            let units = [
                PacketizerFixture.nalUnit(header: [0x06], byteCount: 20, isRestored: false),
                PacketizerFixture.nalUnit(header: [0x65], byteCount: size, isRestored: isRestored),
            ]
            let batch = packetizer.packetize(PacketizerFixture.unit(.nalUnits(units), at: Int64(index) * 3_000))
            let packets = try PacketizerFixture.packets(batch)
            #expect(packets.allSatisfy { $0.payload.readableBytes <= Self.payload })
            #expect(packets.map(\.marker) == Array(repeating: false, count: packets.count - 1) + [true])
            sent.append(PacketizerFixture.stored(.nalUnits(units)))
            all += packets
        }
        let run = DepacketizerRun(H264Depacketizer(configuration: nil), all)
        #expect(run.errors.isEmpty)
        #expect(run.units.map(\.isRandomAccessPoint) == [true, true])
        let isSame = run.bytes == sent
        #expect(isSame)
        guard case .configuration(.h264(let configuration))? = run.output.first else {
            Issue.record("no parameter sets")
            return
        }
        #expect(packetizer.format == .h264(configuration))
    }

    @Test(arguments: nalUnitSizes)
    func hevcFragmentsMakeTheUnitAgain(_ size: Int) throws {
        for isRestored in [true, false] {
            var packetizer = PacketizerFixture.packetizer(try PacketizerFixture.hevc())
            // A CRA picture of temporal sub-layer 3.
            let unit = PacketizerFixture.nalUnit(header: [0x2A, 0x03], byteCount: size, isRestored: isRestored)
            let batch = packetizer.packetize(PacketizerFixture.unit(.nalUnits([unit])))
            var packets = try PacketizerFixture.packets(batch)
            #expect(packets.allSatisfy { $0.payload.readableBytes <= Self.payload })
            #expect(packets.map(\.marker) == Array(repeating: false, count: packets.count - 1) + [true])
            let sets = [PacketizerFixture.hevcVPS, PacketizerFixture.hevcSPS, PacketizerFixture.hevcPPS]
            let aggregate = sets.reduce([0x60, 0x01]) { $0 + [0, UInt8($1.count)] + $1 }
            #expect(Array(packets.removeFirst().payload.readableBytesView) == aggregate)
            #expect(Self.reassembleHEVC(packets) == unit.bytes())
        }
    }

    /// Reassembles one NAL unit (RFC 7798 §4.4.1 and §4.4.3); `nil` if the fragments are not correct.
    private static func reassembleHEVC(_ packets: [RTPPacket]) -> [UInt8]? {
        let payloads = packets.map { Array($0.payload.readableBytesView) }
        if payloads.count == 1 { return payloads[0] }
        var unit: [UInt8] = []
        for (index, payload) in payloads.enumerated() {
            let flags: UInt8 = (index == 0 ? 0x80 : 0) | (index == payloads.count - 1 ? 0x40 : 0)
            guard payload.count > 3, payload[0] == 49 << 1, payload[1] == 0x03, payload[2] & 0xC0 == flags else {
                return nil
            }
            if index == 0 { unit = [(payload[2] & 0x3F) << 1, payload[1]] }
            unit += payload[3...]
        }
        return unit
    }

    @Test func parameterSetsPrecedeKeyFramesThatHaveNone() throws {
        var packetizer = PacketizerFixture.packetizer(try PacketizerFixture.h264())
        let slice = FragmentedNALUnit(ByteBuffer(bytes: [0x65, 1]))
        let other = FragmentedNALUnit(ByteBuffer(bytes: [0x41, 1]))
        let set = FragmentedNALUnit(ByteBuffer(bytes: PacketizerFixture.sps))
        func first(_ units: [FragmentedNALUnit], isKey: Bool) throws -> [UInt8] {
            let batch = packetizer.packetize(PacketizerFixture.unit(.nalUnits(units), isKey: isKey))
            return try PacketizerFixture.packets(batch).first.map { Array($0.payload.readableBytesView) } ?? []
        }
        let aggregate = [0x78, 0, 9] + PacketizerFixture.sps + [0, 4] + PacketizerFixture.pps
        #expect(try first([slice], isKey: true) == aggregate)
        #expect(try first([other], isKey: false) == [0x41, 1])
        #expect(try first([set, slice], isKey: true) == PacketizerFixture.sps)
    }

    /// The next key frame contains the changed parameter sets.
    @Test func laterParameterSetsTakeThePlaceOfTheFirst() throws {
        var packetizer = PacketizerFixture.packetizer(try PacketizerFixture.h264())
        let pps: [UInt8] = [0x68, 0xCB, 0x8C, 0xB3]
        let changed = RTPPayloadFormat.h264(
            try H264Configuration(sequenceParameterSets: [PacketizerFixture.sps], pictureParameterSets: [pps]))
        #expect(packetizer.format.isContinued(by: changed))
        packetizer.update(changed)
        let slice = FragmentedNALUnit(ByteBuffer(bytes: [0x65, 1]))
        let packets = try PacketizerFixture.packets(packetizer.packetize(PacketizerFixture.unit(.nalUnits([slice]))))
        #expect(packets.first.map { Array($0.payload.readableBytesView).suffix(4) } == pps[...])
    }

    /// None of these units may become a packet: their headers denote packet structures, or they are empty.
    @Test func nalUnitsThatNoPacketMayCarryAreLeftOut() throws {
        var packetizer = PacketizerFixture.packetizer(try PacketizerFixture.h264())
        for bytes in [[], [0x00], [0x78, 1], [0x7C, 1], [0x1F]] as [[UInt8]] {
            let unit = FragmentedNALUnit(ByteBuffer(bytes: bytes))
            #expect(packetizer.packetize(PacketizerFixture.unit(.nalUnits([unit]))).isEmpty)
        }
        #expect(packetizer.packetize(PacketizerFixture.unit(.nalUnits([]))).isEmpty)
        #expect(packetizer.packetize(PacketizerFixture.unit(.frame(ByteBuffer(bytes: [1])))).isEmpty)
        #expect(packetizer.stream.packetCount == 0)
    }

    @Test(arguments: [1, 370, payload - 5, payload - 4, payload - 3, 2 * (payload - 4), 2 * (payload - 4) + 1, 8_191])
    func aacComesBackFromOurDepacketizer(_ size: Int) throws {
        let configuration = try AACConfiguration(sampleRate: 48_000, channelCount: 2)
        var packetizer = PacketizerFixture.packetizer(.aac(configuration))
        var depacketizer = AACDepacketizer(configuration: configuration, clockRate: 48_000)
        let frame = ByteBuffer(bytes: (0..<size).map { UInt8(truncatingIfNeeded: $0) })
        let packets = try PacketizerFixture.packets(packetizer.packetize(PacketizerFixture.unit(.frame(frame))))
        #expect(packets.allSatisfy { $0.payload.readableBytes <= Self.payload })
        #expect(packets.map(\.marker) == Array(repeating: false, count: packets.count - 1) + [true])
        var output: [DepacketizerOutput] = []
        for packet in packets { try depacketizer.receive(packet, into: &output) }
        let received = output.compactMap { if case .unit(let unit) = $0 { unit } else { nil } }
        #expect(received.map { PacketizerFixture.stored($0.payload) } == [Array(frame.readableBytesView)])
    }

    @Test func anAACFrameThatItsHeaderCannotCountIsLeftOut() throws {
        var packetizer = PacketizerFixture.packetizer(
            .aac(try AACConfiguration(sampleRate: 48_000, channelCount: 2)))
        #expect(packetizer.packetize(PacketizerFixture.unit(.frame(ByteBuffer(repeating: 0, count: 8_192)))).isEmpty)
    }

    struct ForeignCase: Sendable, CustomTestStringConvertible {
        var codec: ForeignCodec
        var frame: [UInt8]
        var isKey = true
        var payload: [UInt8]
        var marker = false

        var testDescription: String { codec.name }
    }

    @Test(arguments: [
        ForeignCase(codec: .pcmMuLaw(sampleRate: 8_000, channelCount: 1), frame: [1, 2], payload: [1, 2]),
        ForeignCase(codec: .g722, frame: [1, 2], payload: [1, 2]),
        ForeignCase(codec: .adaptiveMultiRate, frame: [0x3C, 9], payload: [0xF0, 0x3C, 9]),
        ForeignCase(
            codec: .mpegAudio(sampleRate: 44_100, channelCount: 2), frame: [0xFF, 0xFB],
            payload: [0, 0, 0, 0, 0xFF, 0xFB]),
        ForeignCase(codec: .h263, frame: [0, 0, 0x80, 2], payload: [4, 0, 0x80, 2], marker: true),
        ForeignCase(codec: .vp8, frame: [7], payload: [0x10, 7], marker: true),
        ForeignCase(codec: .vp9, frame: [7], payload: [0x0C, 7], marker: true),
        ForeignCase(codec: .vp9, frame: [7], isKey: false, payload: [0x4C, 7], marker: true),
    ])
    func aSmallFrameIsOnePacket(_ test: ForeignCase) throws {
        var packetizer = PacketizerFixture.packetizer(.foreign(test.codec))
        let unit = PacketizerFixture.unit(.frame(ByteBuffer(bytes: test.frame)), isKey: test.isKey)
        let packets = try PacketizerFixture.packets(packetizer.packetize(unit))
        #expect(packets.map { Array($0.payload.readableBytesView) } == [test.payload])
        #expect(packets.map(\.marker) == [test.marker])
    }

    @Test(
        arguments: [
            (ForeignCodec.mpegAudio(sampleRate: 44_100, channelCount: 2), [[0, 0, 0, 0], [0, 0, 0x05, 0x68]]),
            (.vp8, [[0x10], [0]]), (.vp9, [[0x08], [0x04]]), (.h263, [[4, 0], [0, 0]]),
        ] as [(ForeignCodec, [[UInt8]])])
    func aLargeFrameIsCut(_ codec: ForeignCodec, headers: [[UInt8]]) throws {
        var packetizer = PacketizerFixture.packetizer(.foreign(codec))
        let frame = ByteBuffer(repeating: 0, count: 2_000)
        let packets = try PacketizerFixture.packets(packetizer.packetize(PacketizerFixture.unit(.frame(frame))))
        #expect(packets.map { Array($0.payload.readableBytesView.prefix(headers[0].count)) } == headers)
        let media = packets.reduce(0) { $0 + $1.payload.readableBytes - headers[0].count }
        #expect(media == (codec == .h263 ? 1_998 : 2_000))
        #expect(Set(packets.map(\.rtpTimestamp)).count == 1)
    }

    @Test(arguments: [
        (ForeignCodec.pcmALaw(sampleRate: 8_000, channelCount: 1), 1), (.g722, 1),
        (.linearPCM(sampleRate: 44_100, channelCount: 2), 4), (.linearPCM(sampleRate: 48_000, channelCount: 5), 10),
    ])
    func samplesAreCutBetweenTicks(_ codec: ForeignCodec, bytesPerTick: Int) throws {
        var packetizer = PacketizerFixture.packetizer(.foreign(codec))
        let frame = ByteBuffer(repeating: 5, count: 400 * bytesPerTick + 2_000 * bytesPerTick)
        let packets = try PacketizerFixture.packets(packetizer.packetize(PacketizerFixture.unit(.frame(frame))))
        #expect(packets.count > 1)
        var expected = packets.first?.rtpTimestamp ?? 0
        for packet in packets {
            #expect(packet.payload.readableBytes <= Self.payload)
            #expect(packet.payload.readableBytes % bytesPerTick == 0)
            #expect(packet.rtpTimestamp == expected)
            expected &+= UInt32(packet.payload.readableBytes / bytesPerTick)
        }
        #expect(packets.reduce(0) { $0 + $1.payload.readableBytes } == frame.readableBytes)
    }
}

struct RTPPacketStreamTests {
    @Test func numbersAndTimestampsWrap() throws {
        var packetizer = PacketizerFixture.packetizer(.opus(channelCount: 2), seed: 0xFFFF_FFFF)
        var packets: [RTPPacket] = []
        for index in 0..<3 {
            let frame = SamplePayload.frame(ByteBuffer(repeating: 1, count: 10))
            let batch = packetizer.packetize(PacketizerFixture.unit(frame, at: Int64(index) * 960))
            #expect(batch.firstSequenceNumber == UInt16(truncatingIfNeeded: 0xFFFF + index))
            packets += try PacketizerFixture.packets(batch)
        }
        #expect(packets.map(\.sequenceNumber) == [0xFFFF, 0, 1])
        #expect(packets.map(\.rtpTimestamp) == [0xFFFF_FFFF, 959, 1_919])
        #expect(packetizer.stream.packetCount == 3)
        #expect(packetizer.stream.octetCount == 30)
    }

    /// Timestamps use the payload format's clock, whatever the timescale of the file is.
    @Test func timesAreConvertedToTheFormatsClock() throws {
        var packetizer = PacketizerFixture.packetizer(
            .foreign(.vp8), seed: 0, timescale: Timescale(12_800))
        let unit = PacketizerFixture.unit(.frame(ByteBuffer(bytes: [1])), at: 12_800)
        #expect(try PacketizerFixture.packets(packetizer.packetize(unit)).map(\.rtpTimestamp) == [90_000])
    }

    @Test func framesSayHowLongTheirPacketsAre() throws {
        var packetizer = PacketizerFixture.packetizer(try PacketizerFixture.h264(), channel: 2)
        let unit = PacketizerFixture.nalUnit(header: [0x65], byteCount: 5_000, isRestored: false)
        let batch = packetizer.packetize(PacketizerFixture.unit(.nalUnits([unit])))
        for channel: UInt8 in [2, 7] {
            var frames = batch.framed(channel: channel)
            for packet in batch.packets {
                #expect(frames.readBytes(length: 2) == [0x24, channel])
                #expect(frames.readLengthPrefixedSlice(as: UInt16.self) == packet)
            }
            #expect(frames.readableBytes == 0)
        }
        #expect(batch.packetCount == 5)
    }

    @Test func reportsAndGoodbyesAreCompound() throws {
        var packetizer = PacketizerFixture.packetizer(.opus(channelCount: 1), seed: 7)
        _ = packetizer.packetize(PacketizerFixture.unit(.frame(ByteBuffer(repeating: 1, count: 10))))
        let stream = packetizer.stream
        let report = stream.senderReport(
            time: MediaTime(value: 48_000, timescale: Timescale(48_000)),
            wallClockTime: NTPTimestamp(nanosecondsSince1970: 1_000_000_000), canonicalName: "antena")
        let goodbye = stream.goodbye(canonicalName: "antena")
        for packets in [report, goodbye] {
            let batch = RTPPacketBatch(compound: packets, channel: 1)
            #expect(batch.packetCount == 1)
            var written = try #require(batch.packets.first { _ in true })
            #expect(try RTCPPacket.parseCompound(&written) == packets)
        }
        #expect(
            report.first
                == .senderReport(
                    RTCPSenderReport(
                        source: 7, ntpTimestamp: NTPTimestamp(nanosecondsSince1970: 1_000_000_000),
                        rtpTimestamp: 48_007, packetCount: 1, octetCount: 10)))
        #expect(goodbye.last == .bye(sources: [7]))
    }
}
