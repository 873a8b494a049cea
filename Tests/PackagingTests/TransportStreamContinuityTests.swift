import Codecs
import MediaCore
import NIOCore
import Testing

@testable import Packaging

struct TransportStreamContinuityTests {
    private static let videoPID = 0x100
    private static let audioPID = 0x101
    private static let programMapPID = 0x1000

    /// A packet as a demultiplexer reads it.
    private struct Read: Equatable {
        var pid: Int
        var counter: UInt8
        var startsUnit: Bool
        var adaptationField: [UInt8]
        var payload: [UInt8]

        static func all(_ stream: ByteBuffer) throws -> [Read] {
            let bytes = Array(stream.readableBytesView)
            try #require(bytes.count % 188 == 0)
            return try stride(from: 0, to: bytes.count, by: 188).map { start in
                let packet = Array(bytes[start..<(start + 188)])
                try #require(packet[0] == 0x47)
                let control = packet[3] >> 4
                let length = control & 2 == 0 ? nil : Int(packet[4])
                let payloadStart = 4 + (length.map { $0 + 1 } ?? 0)
                try #require(payloadStart <= 188 && (control & 1 == 0) == (payloadStart == 188))
                return Read(
                    pid: Int(packet[1] & 0x1F) << 8 | Int(packet[2]), counter: packet[3] & 0xF,
                    startsUnit: packet[1] & 0x40 != 0,
                    adaptationField: length.map { Array(packet[5..<(5 + $0)]) } ?? [],
                    payload: Array(packet[payloadStart...]))
            }
        }
    }

    private static func packet(
        _ pid: Int, startsUnit: Bool = false, adaptationField: [UInt8]? = nil, payload: [UInt8]
    ) -> [UInt8] {
        var field = adaptationField
        let room = 184 - payload.count - (field.map { $0.count + 1 } ?? 0)
        if room > 0 { field = (field ?? []) + Array(repeating: 0xFF, count: field == nil ? room - 1 : room) }
        if field?.isEmpty == false, adaptationField == nil { field?[0] = 0 }
        let control: UInt8 = (field == nil ? 0 : 0x20) | (payload.isEmpty ? 0 : 0x10)
        return [0x47, UInt8(pid >> 8) | (startsUnit ? 0x40 : 0), UInt8(pid & 0xFF), control | 7]
            + (field.map { [UInt8($0.count)] + $0 } ?? []) + payload
    }

    private static let tables = [
        packet(0, startsUnit: true, payload: [0, 0, 0xB0, 0x0D, 0, 1, 0xC1, 0, 0, 0, 1, 0xF0, 0, 0, 0, 0, 0]),
        packet(programMapPID, startsUnit: true, payload: [0, 2, 0xB0, 0]),
        packet(0x11, startsUnit: true, payload: [0, 0x42]),
    ]

    /// Makes a transport stream.
    ///
    /// - Parameter counts: The number of packets of each stream; each tenth starts a unit, the first with a clock
    ///   reference.
    private static func stream(_ counts: [Int: Int], payloadByteCount: Int = 184) -> ByteBuffer {
        var packets = tables
        for (pid, count) in counts.sorted(by: { $0.key < $1.key }) {
            for index in 0..<count {
                let clock: [UInt8]? = index == 0 ? [0x50, 1, 2, 3, 4, 5, 6] : nil
                let room = min(payloadByteCount, clock == nil ? 184 : 176)
                packets.append(
                    packet(
                        pid, startsUnit: index % 10 == 0, adaptationField: clock,
                        payload: (0..<room).map { UInt8(truncatingIfNeeded: $0 &+ index) }))
            }
            // A packet with only a clock reference.
            packets.append(packet(pid, adaptationField: [0x10, 9, 9, 9, 9, 9, 9], payload: []))
            packets += tables
        }
        return ByteBuffer(bytes: packets.flatMap(\.self))
    }

    @Test(arguments: [[1, 1], [15, 17], [16, 32], [2, 300], [0, 5], [33, 0]], [184, 60])
    func everyStreamHasAMultipleOfSixteenPacketsAndLosesNothing(counts: [Int], payloadByteCount: Int) throws {
        let stream = Self.stream(
            [Self.videoPID: counts[0], Self.audioPID: counts[1]], payloadByteCount: payloadByteCount)
        let before = try Read.all(stream)
        let after = try Read.all(try TransportStreamContinuity.joined(stream, mediaSequence: 21))
        for pid in [Self.videoPID, Self.audioPID] {
            let (old, new) = (before.filter { $0.pid == pid }, after.filter { $0.pid == pid })
            #expect(old.flatMap(\.payload) == new.flatMap(\.payload))
            let counted = new.filter { !$0.payload.isEmpty }
            #expect(counted.count % 16 == 0)
            #expect(counted.map(\.counter) == counted.indices.map { UInt8($0 % 16) })
            #expect(old.count(where: \.startsUnit) == new.count(where: \.startsUnit))
            // Clock references keep their places.
            #expect(old.first?.adaptationField.prefix(7) == new.first?.adaptationField.prefix(7))
            // A PES header is not split.
            #expect(new.filter(\.startsUnit).allSatisfy { $0.payload.count >= 32 })
            // A packet without payload repeats the counter.
            #expect(new.last?.payload == [] && new.last?.counter == (counted.last?.counter ?? 15))
        }
    }

    @Test func tablesStandOnceInFrontAndCountSegments() throws {
        for mediaSequence in [0, 15, 16, 1_000_003] {
            let stream = Self.stream([Self.videoPID: 20])
            let packets = try Read.all(
                try TransportStreamContinuity.joined(stream, mediaSequence: mediaSequence))
            #expect(packets.prefix(2).map(\.pid) == [0, Self.programMapPID])
            #expect(packets.prefix(2).allSatisfy { $0.counter == UInt8(mediaSequence % 16) })
            #expect(packets.dropFirst(2).allSatisfy { $0.pid == Self.videoPID })
        }
    }

    @Test func theSameComesOutEachTime() throws {
        let stream = Self.stream([Self.videoPID: 37, Self.audioPID: 3])
        let first = try TransportStreamContinuity.joined(stream, mediaSequence: 3)
        #expect(try TransportStreamContinuity.joined(stream, mediaSequence: 3) == first)
    }

    @Test func whatIsNoTransportStreamIsRefused() {
        let good = Self.stream([Self.videoPID: 3])
        var cut = good
        _ = cut.readBytes(length: 1)
        var unsynchronized = good
        unsynchronized.setInteger(UInt8(0), at: 188)
        var tooLongField = good
        tooLongField.setBytes([0x47, 1, 0, 0x30, 184], at: 188)
        for stream in [cut, unsynchronized, tooLongField] {
            #expect(throws: TransportStreamContinuity.MalformedStream.self) {
                try TransportStreamContinuity.joined(stream, mediaSequence: 0)
            }
        }
    }
}

struct TransportStreamSegmentTests {
    @Test func samplesComeInTheOrderOfDecodingOnOneClock() throws {
        var fixture = try LiveFixture()
        var nextAudio: Int64 = 0
        for index in 0..<75 {
            let time = Int64(index) * 3_600
            fixture.audioFrames(from: &nextAudio, until: Double(time) / 90_000)
            fixture.frame(
                at: time, isKey: index % 50 == 0, compositionOffset: index % 2 == 0 ? 7_200 : 0, byteCount: 100 + index)
        }
        fixture.finish()
        let video = try #require(fixture.segments(.video).first)
        let audio = try #require(fixture.segments(.audio).first)
        let segment = TransportStreamSegment(
            tracks: [
                .init(configuration: try LiveFixture.video(0), parts: video.parts),
                .init(
                    configuration: .aac(try AACConfiguration(sampleRate: 48_000, channelCount: 2)), parts: audio.parts),
            ], mediaSequence: 100)
        let samples = segment.samples()
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.decodeTime <= $1.decodeTime })
        let frames = samples.filter { $0.trackIndex == 0 }
        #expect(frames.count == 50)
        #expect(frames.map(\.isRandomAccessPoint) == [true] + Array(repeating: false, count: 49))
        // The slice data follows each NAL unit's length and header.
        #expect(frames.map(\.bytes.readableBytes) == (0..<50).map { 4 + 1 + 100 + $0 })
        for (index, frame) in frames.enumerated() {
            #expect(frame.decodeTime == 900_000 + Int64(index) * 3_600)
            #expect(frame.presentationTime - frame.decodeTime == (index % 2 == 0 ? 7_200 : 0))
        }
        let audioTracks = samples.filter { $0.trackIndex == 1 }
        #expect(zip(audioTracks, audioTracks.dropFirst()).allSatisfy { $1.decodeTime - $0.decodeTime == 1_920 })
        #expect(abs((audioTracks.first?.decodeTime ?? 0) - 900_000) < 1_920)
        // The next segment continues at the end of this one (HLS Authoring Specification 7.1).
        let next = TransportStreamSegment(
            tracks: [
                .init(configuration: try LiveFixture.video(0), parts: try #require(fixture.segments(.video).last).parts)
            ], mediaSequence: 101)
        #expect(next.samples().first?.decodeTime == 1_080_000)
    }

    @Test func onlyWhatHLSAllowsGoesIn() throws {
        let aac = { (config: [UInt8]) in
            CodecConfiguration.aac(try AACConfiguration(parsingAudioSpecificConfig: config))
        }
        #expect(try LiveFixture.video(0).isCarriedInTransportStreams)
        #expect(try aac([0x11, 0x90]).isCarriedInTransportStreams)
        // 960 samples per frame; AAC-LD (23).
        #expect(try !aac([0x11, 0x94]).isCarriedInTransportStreams)
        #expect(try !aac([0xB9, 0x90, 0]).isCarriedInTransportStreams)
        #expect(try !CodecConfiguration.opus(OpusConfiguration(channelCount: 2)).isCarriedInTransportStreams)
    }
}
