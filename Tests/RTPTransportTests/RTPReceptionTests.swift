import Codecs
import MediaCore
import NIOCore
import RTPTransport
import Testing

struct RTPReceptionTests {
    static let start = NIODeadline.uptimeNanoseconds(0)

    static func reception(_ reordering: JitterBuffer.Reordering) throws -> RTPReception {
        let video = try H264DepacketizerTests.configuration()
        let audio = try AACConfiguration(parsingAudioSpecificConfig: [0x12, 0x10])
        return RTPReception(
            formats: [
                RTPTrackFormat(payloadType: 96, clockRate: 90_000, payload: .h264(video)),
                RTPTrackFormat(payloadType: 97, clockRate: 44_100, payload: .aac(audio, .highBitRate)),
            ], reorderings: [reordering, reordering], source: 42)
    }

    static func bytes(_ packet: RTPPacket) -> ByteBuffer {
        var buffer = ByteBuffer()
        packet.write(into: &buffer)
        return buffer
    }

    @Test func turnsReorderedPacketsIntoPicturesInOrder() throws {
        var reception = try Self.reception(.udp)
        var events: [RTPReceptionEvent] = []
        let order: [UInt16] = [0, 2, 1, 4, 3, 5]
        for index in order {
            let packet = Sample.packet(
                65_533 &+ index, UInt32(index) * 3_000, marker: true, [index == 0 ? 0x65 : 0x41, UInt8(index)])
            reception.receiveRTP(
                Self.bytes(packet), trackIndex: 0, arrival: Self.start + .milliseconds(Int64(index) * 33),
                into: &events)
        }
        let times = events.compactMap { event -> Int64? in
            if case .unit(let unit, 0) = event { unit.decodeTime } else { nil }
        }
        #expect(times == (0..<6).map { 90_000 + $0 * 3_000 })
    }

    /// A stream of x265 with B-frames: decode times depend on the sequence parameter set, which arrives in band.
    @Test func derivesDecodeTimesOfHEVC() throws {
        let format = RTPTrackFormat(payloadType: 96, clockRate: 90_000, payload: .hevc(nil))
        #expect(format.configuration == nil && format.foreignCodec == nil)
        var reception = RTPReception(formats: [format], reorderings: [.udp], source: 42)
        var events: [RTPReceptionEvent] = []
        let packets = try RTPCapture.packets(RTPCapture.hevc)
        for (index, packet) in packets.enumerated() {
            reception.receiveRTP(
                Self.bytes(packet), trackIndex: 0, arrival: Self.start + .milliseconds(Int64(index)), into: &events)
        }
        let units = events.compactMap { if case .unit(let unit, 0) = $0 { unit } else { nil } }
        let offsets = units.map { $0.presentationTime - 90_000 }
        #expect(offsets == [0, 4, 2, 1, 3, 7, 6, 5].map { $0 * 3_600 })
        #expect(zip(units, units.dropFirst()).allSatisfy { $0.decodeTime < $1.decodeTime })
        #expect(units.allSatisfy { $0.decodeTime <= $0.presentationTime })
        #expect(events.count == units.count + 1)
    }

    /// Audio for which only the times matter, because the configuration or the foreign codec is known from the SDP.
    @Test(
        arguments: [
            (RTPCapture.latm, 44_100, 96, 1_024), (RTPCapture.opus, 48_000, 96, 960),
            (RTPCapture.mpegAudio, 90_000, 14, 2_351),
        ] as [([String], UInt32, UInt8, Int64)])
    func placesAudioByItsTimestamps(
        _ capture: [String], _ clockRate: UInt32, _ payloadType: UInt8, _ step: Int64
    ) throws {
        let latm = try LATMStreamMuxConfiguration(parsing: LATMDepacketizerTests.gstreamer)
        let payload: RTPTrackFormat.Payload =
            switch clockRate {
            case 44_100: .latm(latm, isInBand: false)
            case 48_000: .opus(try OpusConfiguration(channelCount: 2))
            default: .mpegAudio
            }
        let format = RTPTrackFormat(payloadType: payloadType, clockRate: clockRate, payload: payload)
        #expect((format.configuration == nil) != (format.foreignCodec == nil))
        var reception = RTPReception(formats: [format], reorderings: [.passThrough], source: 42)
        var events: [RTPReceptionEvent] = []
        for packet in try RTPCapture.packets(capture) {
            reception.receiveRTP(Self.bytes(packet), trackIndex: 0, arrival: Self.start, into: &events)
        }
        let times = events.compactMap { if case .unit(let unit, 0) = $0 { unit.decodeTime } else { nil } }
        #expect(times.count == events.count && times.count >= 3)
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - step) <= step })
    }

    @Test func countsLossAndWaitsForTheNextKeyFrame() throws {
        var reception = try Self.reception(.passThrough)
        var events: [RTPReceptionEvent] = []
        for (sequence, type) in [(1, 0x65), (2, 0x41), (4, 0x41), (5, 0x65)] as [(UInt16, UInt8)] {
            let packet = Sample.packet(sequence, UInt32(sequence) * 3_000, marker: true, [type, 1])
            reception.receiveRTP(Self.bytes(packet), trackIndex: 0, arrival: Self.start, into: &events)
        }
        let described = events.map { event -> String in
            switch event {
            case .unit(let unit, _): unit.isRandomAccessPoint ? "I" : "P"
            case .lost(let count, _): "-\(count)"
            default: "?"
            }
        }
        #expect(described == ["I", "P", "-1", "I"])
    }

    @Test func pairsMediaTimeWithWallClock() throws {
        var reception = try Self.reception(.passThrough)
        var events: [RTPReceptionEvent] = []
        reception.receiveRTP(
            Self.bytes(Sample.packet(1, 1_000, marker: true, [0x65, 1])), trackIndex: 0, arrival: Self.start,
            into: &events)
        // The first picture waits for the next packet.
        reception.receiveRTP(
            Self.bytes(Sample.packet(2, 1_000, [0x06, 5])), trackIndex: 0, arrival: Self.start, into: &events)
        reception.receiveRTP(
            Self.bytes(Sample.packet(3, 4_000, [0x41, 0x80])), trackIndex: 0, arrival: Self.start, into: &events)
        #expect(events.count == 1)
        events = []
        var report = ByteBuffer()
        let wallClock: Int64 = 1_700_000_000_000_000_000
        RTCPPacket.senderReport(
            RTCPSenderReport(
                source: 1, ntpTimestamp: NTPTimestamp(nanosecondsSince1970: wallClock), rtpTimestamp: 91_000)
        ).write(into: &report)
        RTCPPacket.bye(sources: [1]).write(into: &report)
        reception.receiveRTCP(report, trackIndex: 0, arrival: Self.start, into: &events)
        guard events.count == 2, case .wallClock(let nanoseconds, let mediaTime, 0, _) = events[0],
            case .bye(0) = events[1]
        else {
            Issue.record("unexpected: \(events)")
            return
        }
        #expect(abs(nanoseconds - wallClock) <= 1)
        #expect(mediaTime == MediaTime(value: 2, timescale: Timescale(1)))
        let made = reception.makeReceiverReport(trackIndex: 0, now: Self.start)
        var reply = try #require(made)
        #expect(try RTCPPacket.parseCompound(&reply).count == 2)
        #expect(reception.makeReceiverReport(trackIndex: 1, now: Self.start) == nil)
    }

    /// ffmpeg sends its first report before its first packet, and the next one five seconds later.
    @Test func aReportBeforeTheFirstPacketCounts() throws {
        var reception = try Self.reception(.passThrough)
        var events: [RTPReceptionEvent] = []
        for time in [0, 1_700_000_000_000_000_000] as [Int64] {
            var report = ByteBuffer()
            RTCPPacket.senderReport(
                RTCPSenderReport(
                    source: 1,
                    ntpTimestamp: time == 0 ? NTPTimestamp(rawValue: 0) : NTPTimestamp(nanosecondsSince1970: time),
                    rtpTimestamp: 91_000)
            ).write(into: &report)
            reception.receiveRTCP(
                report, trackIndex: 0, arrival: Self.start + .milliseconds(time == 0 ? 0 : 3), into: &events)
        }
        #expect(events.isEmpty)
        for (number, time) in [(1, 1_000), (2, 4_000), (3, 7_000)] as [(UInt16, UInt32)] {
            reception.receiveRTP(
                Self.bytes(Sample.packet(number, time, marker: true, [0x65, 0x80])), trackIndex: 0,
                arrival: Self.start + .seconds(1), into: &events)
        }
        let dated = events.compactMap { event -> (MediaTime, NIODeadline)? in
            if case .wallClock(_, let time, 0, let arrival) = event { (time, arrival) } else { nil }
        }
        #expect(dated.count == 1 && dated.first?.0 == MediaTime(value: 2, timescale: Timescale(1)))
        #expect(dated.first?.1 == Self.start + .milliseconds(3))
    }

    @Test func ignoresPayloadTypesThatWereNotAnnounced() throws {
        var reception = try Self.reception(.passThrough)
        var events: [RTPReceptionEvent] = []
        reception.receiveRTP(
            Self.bytes(Sample.packet(1, 1_000, marker: true, [0x65, 1])), trackIndex: 1, arrival: Self.start,
            into: &events)
        let faults = events.compactMap { if case .fault(let fault) = $0 { fault } else { nil } }
        #expect(events.count == 1 && faults.first?.cause == .unexpectedPayloadType(96))
        #expect(faults.first?.trackIndex == 1 && faults.first?.packet?.sequenceNumber == 1)
    }

    /// A fault names what Wireshark shows of the packet.
    @Test func faultsSayWhichPacketIsWrong() throws {
        let sample = Sample.packet(7, 1_000, marker: true, [0x65, 1])
        let identity = RTPPacketIdentity(synchronizationSource: 1, sequenceNumber: 7, rtpTimestamp: 1_000)
        var padded = Self.bytes(sample)
        padded.setInteger(UInt8(0xA0), at: 0)
        padded.setInteger(UInt8(200), at: padded.writerIndex - 1)
        let cut = Self.bytes(Sample.packet(7, 1_000, marker: true, [0x7C]))
        let cases: [(bytes: ByteBuffer, packet: RTPPacketIdentity?, description: String)] = [
            (ByteBuffer(bytes: [0x80, 96]), nil, "track 0: RTP header: truncated"),
            (padded, identity, "track 0: RTP padding: malformed"),
            (cut, identity, "track 0: RTP packet 7: "),
        ]
        for one in cases {
            var reception = try Self.reception(.passThrough)
            var events: [RTPReceptionEvent] = []
            reception.receiveRTP(one.bytes, trackIndex: 0, arrival: Self.start, into: &events)
            let faults = events.compactMap { if case .fault(let fault) = $0 { fault } else { nil } }
            let fault = try #require(faults.first)
            #expect(faults.count == 1 && fault.kind == .malformed && fault.packet == one.packet)
            #expect("\(fault)".hasPrefix(one.description))
        }
    }

    @Test func aRestartNamesTheFirstPacketOfTheNewSeries() throws {
        var reception = try Self.reception(.udp)
        var events: [RTPReceptionEvent] = []
        for (index, sequence) in ([1, 2, 30_000, 30_001, 30_002, 30_003] as [UInt16]).enumerated() {
            let packet = Sample.packet(sequence, UInt32(index) * 3_000, marker: true, [0x65, UInt8(index)])
            reception.receiveRTP(Self.bytes(packet), trackIndex: 0, arrival: Self.start, into: &events)
        }
        let faults = events.compactMap { if case .fault(let fault) = $0 { fault } else { nil } }
        let restart = try #require(faults.first { $0.cause == .restarted })
        #expect(restart.packet.map { $0.sequenceNumber >= 30_000 } == true && restart.kind == .restart)
        #expect("\(restart)" == "the source of track 0 restarted")
    }

    /// Packets are untrusted: random bytes must only be counted.
    @Test(arguments: 0..<50)
    func survivesRandomBytes(seed: UInt64) throws {
        var reception = try Self.reception(seed % 2 == 0 ? .udp : .passThrough)
        var events: [RTPReceptionEvent] = []
        var state = seed &+ 1
        func next() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
        for _ in 0..<500 {
            var bytes = (0..<Int(next())).map { _ in next() }
            let track = Int(next() % 2)
            // Half of them look like packets, so that the code after the header is reached.
            if bytes.count > 12, next() % 2 == 0 {
                bytes[0] = 0x80
                bytes[1] = UInt8(96 + track) | next() & 0x80
            }
            reception.receiveRTP(ByteBuffer(bytes: bytes), trackIndex: track, arrival: Self.start, into: &events)
            if bytes.count > 4, next() % 2 == 0 { bytes[0] = 0x81; bytes[1] = 200 + next() % 4; bytes[2] = 0 }
            reception.receiveRTCP(ByteBuffer(bytes: bytes), trackIndex: track, arrival: Self.start, into: &events)
        }
        #expect(!events.isEmpty)
    }
}
