import Codecs
import Foundation
import GatewayTestSupport
import LiveChannels
import MediaCore
import NIOCore
import NIOEmbedded
import Packaging
import TestSupport
import Testing

@testable import Gateway
@testable import HLSDelivery

struct TransportStreamCacheTests {
    let eventLoop = EmbeddedEventLoop()

    private func key(_ number: Int) -> TransportStreamCache.Key {
        TransportStreamCache.Key(source: "canalA", epoch: "e", mediaSequence: number)
    }

    private final class Answers {
        var segments: [ByteBuffer] = []
        var errorCount = 0
    }

    private func collect(_ future: EventLoopFuture<MuxedSegment>, in answers: Answers) {
        future.assumeIsolated().whenComplete { result in
            switch result {
            case .success(let segment): answers.segments.append(segment.bytes)
            case .failure: answers.errorCount += 1
            }
        }
    }

    @Test func whoAsksMeanwhileWaitsForTheFirst() throws {
        let cache = TransportStreamCache()
        let answers = Answers()
        var firstCount = 0
        for _ in 0..<5 {
            switch cache.claim(key(1), on: eventLoop) {
            case .first(let future):
                firstCount += 1
                collect(future, in: answers)
            case .pending(let future): collect(future, in: answers)
            case .ready: Issue.record("nothing is muxed yet")
            }
        }
        #expect(firstCount == 1)
        cache.finish(.success(MuxedSegment(bytes: ByteBuffer(string: "ts"))), key: key(1))
        #expect(answers.segments == Array(repeating: ByteBuffer(string: "ts"), count: 5))
        guard case .ready(let segment) = cache.claim(key(1), on: eventLoop) else {
            Issue.record("it is not kept")
            return
        }
        #expect(segment.bytes == ByteBuffer(string: "ts"))
    }

    @Test func aFailureIsToldToAllAndNotKept() throws {
        let cache = TransportStreamCache()
        let answers = Answers()
        for _ in 0..<3 {
            switch cache.claim(key(1), on: eventLoop) {
            case .first(let future), .pending(let future): collect(future, in: answers)
            case .ready: Issue.record("nothing is muxed yet")
            }
        }
        cache.finish(.failure(CancellationError()), key: key(1))
        #expect(answers.errorCount == 3)
        guard case .first(let future) = cache.claim(key(1), on: eventLoop) else {
            Issue.record("it is not muxed again")
            return
        }
        collect(future, in: answers)
        cache.finish(.success(MuxedSegment(bytes: ByteBuffer(string: "ts"))), key: key(1))
        #expect(answers.segments.count == 1)
    }

    @Test func theLeastRecentlyUsedGoesFirst() {
        let cache = TransportStreamCache(maximumByteCount: 300)
        func mux(_ number: Int) {
            guard case .first = cache.claim(key(number), on: eventLoop) else { return }
            cache.finish(.success(MuxedSegment(bytes: ByteBuffer(repeating: 0x47, count: 100))), key: key(number))
        }
        func isKept(_ number: Int) -> Bool {
            switch cache.claim(key(number), on: eventLoop) {
            case .ready: return true
            case .first, .pending:
                cache.finish(.failure(CancellationError()), key: key(number))
                return false
            }
        }
        for number in 0..<3 { mux(number) }
        #expect(isKept(0))
        mux(3)
        #expect(cache.byteCount == 300)
        #expect(isKept(0) && !isKept(1) && isKept(2) && isKept(3))
        // A segment larger than the whole cache is served but not cached.
        guard case .first = cache.claim(key(9), on: eventLoop) else { return }
        cache.finish(.success(MuxedSegment(bytes: ByteBuffer(repeating: 0, count: 301))), key: key(9))
        #expect(cache.byteCount == 300 && !isKept(9))
    }
}

/// libav's muxer on a channel's own samples.
struct TransportStreamMuxingTests {
    private func radio(segments: Int) throws -> (RadioPublisher, [TransportStreamSegment]) {
        let publisher = RadioPublisher()
        try publisher.begin()
        publisher.push(segments: segments)
        let window = publisher.channel.window()
        let epoch = try #require(window.renditions.first?.listed.first?.epoch)
        let sources = (0..<segments).compactMap {
            publisher.channel.transportStreamSegment(mediaSequence: $0, epoch: epoch)
        }
        try #require(sources.count == segments)
        return (publisher, sources)
    }

    /// Sizes of all packets, and the times of those that begin a PES packet.
    private func probe(_ streams: [ByteBuffer]) async throws -> [(time: Int64?, byteCount: Int)] {
        let folder = try TemporaryDirectory(label: "ts")
        let path = "\(folder.path)/all.ts"
        try Data(streams.flatMap { Array($0.readableBytesView) }).write(to: URL(fileURLWithPath: path))
        let result = try await ExternalTool.ffprobe().run([
            "-v", "error", "-show_entries", "packet=pts,size", "-of", "csv=p=0", path,
        ])
        return result.lines.map { line in
            let fields = line.split(separator: ",")
            return (Int64(fields[0]), Int(fields[1]) ?? 0)
        }
    }

    @Test func audioAloneRunsOnOverTheJoints() async throws {
        let (publisher, sources) = try radio(segments: 2)
        let streams = try sources.map { try LibAVTransportStreams().mux($0) }
        let packets = try await probe(streams)
        #expect(packets.count == sources.reduce(0) { $0 + $1.samples().count })
        for (index, packet) in packets.enumerated() {
            if let time = packet.time { #expect(time == 900_000 + Int64(index) * 1_920) }
        }
        #expect(packets.count { $0.time != nil } > 8)
        // Each frame follows its ADTS header.
        #expect(packets.allSatisfy { $0.byteCount == 207 })
        withExtendedLifetime(publisher) {}
    }

    @Test func theSameSegmentIsTheSameBytes() throws {
        let (publisher, sources) = try radio(segments: 2)
        #expect(try LibAVTransportStreams().mux(sources[1]) == LibAVTransportStreams().mux(sources[1]))
        withExtendedLifetime(publisher) {}
    }

    /// The estimate that BANDWIDTH is made of.
    @Test func aSegmentTakesAboutWhatIsEstimated() throws {
        let (publisher, sources) = try radio(segments: 3)
        let listed = try #require(publisher.channel.window().renditions.first).listed
        for (source, segment) in zip(sources, listed) {
            let byteCount = try LibAVTransportStreams().mux(source).readableBytes
            let estimate = segment.estimatedTransportStreamByteCount(mediaType: .audio)
            #expect((Double(byteCount) * 0.9...Double(byteCount) * 1.2).contains(Double(estimate)))
        }
    }

    @Test func aStreamThatIsSilentIsAnnounced() throws {
        let (publisher, sources) = try radio(segments: 1)
        var source = sources[0]
        source.tracks.append(TransportStreamSegment.Track(configuration: source.tracks[0].configuration, parts: []))
        let one = try LibAVTransportStreams().mux(sources[0])
        let two = try LibAVTransportStreams().mux(source)
        // Only the program map differs.
        #expect(one.readableBytes == two.readableBytes && one != two)
        withExtendedLifetime(publisher) {}
    }

    /// A publisher may send NAL units with arbitrary content.
    @Test func aFrameThatMakesNoSenseIsLeftOut() async throws {
        let bytes = { (text: String) in
            let digits = text.compactMap(\.hexDigitValue)
            return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        }
        let configuration = CodecConfiguration.h264(
            try H264Configuration(
                sequenceParameterSets: [bytes("6764001eacd940a02ff97011000003000100000300320f162d96")],
                pictureParameterSets: [bytes("68ebe3cb22c0")]))
        func segment(_ isBroken: (Int) -> Bool) throws -> TransportStreamSegment {
            var packager = LivePackager(
                configuration: LivePackagingConfiguration(),
                tracks: [
                    LivePackagerTrack(
                        track: Track(id: 0, mediaType: .video, timescale: .video90kHz), configuration: configuration)
                ], epoch: "e", firstMediaSequence: 0, isDiscontinuous: false, allocator: ByteBufferAllocator())
            var events: [LivePackagingEvent] = []
            for index in 0..<25 {
                var picture = ByteBuffer(integer: UInt32(isBroken(index) ? 9_999 : 101))
                picture.writeInteger(UInt8(index == 0 ? 0x65 : 0x41))
                picture.writeRepeatingByte(9, count: 100)
                let time = Int64(index) * 3_600
                let unit = AccessUnit(
                    decodeTime: time, presentationTime: time, isRandomAccessPoint: index == 0, payload: .frame(picture))
                events += packager.append(unit, to: .video, now: 0)
            }
            events += packager.finish()
            let parts = events.compactMap { if case .part(_, let part, _) = $0 { part } else { nil } }
            return TransportStreamSegment(
                tracks: [TransportStreamSegment.Track(configuration: configuration, parts: parts)], mediaSequence: 0)
        }
        let packets = try await probe([try LibAVTransportStreams().mux(try segment { $0 == 7 || $0 == 8 })])
        #expect(packets.count == 23)
        #expect(throws: (any Error).self) { try LibAVTransportStreams().mux(try segment { _ in true }) }
    }

    @Test func foreignCodecsAreRefused() throws {
        let segment = TransportStreamSegment(
            tracks: [.init(configuration: .opus(try OpusConfiguration(channelCount: 2)), parts: [])], mediaSequence: 0)
        #expect(throws: (any Error).self) { try LibAVTransportStreams().mux(segment) }
    }
}
