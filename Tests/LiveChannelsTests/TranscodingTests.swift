import Codecs
import HLSPlaylist
import MediaCore
import NIOCore
import NIOEmbedded
import Packaging
import Synchronization
import Testing
import TestSupport

@testable import LiveChannels

/// Transcoders that do what the test tells them.
final class FakeTranscoderFactory: LiveTranscoderFactory {
    struct Failure: Error, CustomStringConvertible {
        let description = "out of encoders"
    }

    final class Transcoder: LiveTranscoder {
        let codec: ForeignCodec
        let timescale: Timescale
        let onOutput: @Sendable (LiveTranscoderOutput) -> Void
        private let state = Mutex((units: [AccessUnit](), isClosed: false, isFull: false))

        init(
            codec: ForeignCodec, timescale: Timescale, onOutput: @escaping @Sendable (LiveTranscoderOutput) -> Void
        ) {
            self.codec = codec
            self.timescale = timescale
            self.onOutput = onOutput
        }

        var isClosed: Bool { state.withLock { $0.isClosed } }
        var unitCount: Int { state.withLock { $0.units.count } }
        func fill() { state.withLock { $0.isFull = true } }

        func send(_ unit: AccessUnit) -> Bool {
            state.withLock { state in
                guard !state.isFull else { return false }
                state.units.append(unit)
                return true
            }
        }

        func close() { state.withLock { $0.isClosed = true } }
    }

    let isBroken: Bool
    private let made = Mutex([Transcoder]())
    var transcoders: [Transcoder] { made.withLock { $0 } }

    init(isBroken: Bool = false) { self.isBroken = isBroken }

    func makeTranscoder(
        for codec: ForeignCodec, timescale: Timescale, onOutput: @escaping @Sendable (LiveTranscoderOutput) -> Void
    ) throws -> any LiveTranscoder {
        if isBroken { throw Failure() }
        let transcoder = Transcoder(codec: codec, timescale: timescale, onOutput: onOutput)
        made.withLock { $0.append(transcoder) }
        return transcoder
    }
}

struct TranscodingTests {
    let clock = TestClock()
    let eventLoop = EmbeddedEventLoop()
    let factory = FakeTranscoderFactory()

    private static let codec = ForeignCodec.pcmMuLaw(sampleRate: 8_000, channelCount: 1)
    private static let foreignTrack = PublishedTrack(
        track: Track(id: 1, mediaType: .audio, timescale: Timescale(8_000)), configuration: nil, foreignCodec: codec)
    private static let videoTrack = PublishedTrack(
        track: TestMedia.videoTrack, configuration: TestMedia.video360)

    private func begin(
        _ channel: LiveChannel, tracks: [PublishedTrack] = [videoTrack, foreignTrack]
    ) throws -> PublishingEpoch {
        try channel.beginPublishing(TestMedia.publisher, tracks: tracks, on: eventLoop, onKick: { _ in })
    }

    private static func unit(_ time: Int64, isKeyFrame: Bool = true, byteCount: Int = 160) -> AccessUnit {
        AccessUnit(
            decodeTime: time, presentationTime: time, isRandomAccessPoint: isKeyFrame,
            payload: .frame(ByteBuffer(repeating: 0xD5, count: byteCount)))
    }

    /// 20 ms at a time; a frame every 40 ms, and every 21 ms a frame from the transcoder.
    private func push(_ epoch: PublishingEpoch, _ steps: Range<Int>, outputTimescale: Int64 = 48_000) {
        for step in steps {
            clock.set(TestClock.start + .milliseconds(20 * step))
            epoch.append(Self.unit(Int64(step) * 160), trackID: 1)
            if step % 2 == 0 {
                epoch.append(Self.unit(Int64(step) * 1_800, isKeyFrame: step % 100 == 0, byteCount: 2_000), trackID: 0)
            }
            factory.transcoders.last?.onOutput(
                .unit(Self.unit(Int64(step) * outputTimescale / 50, byteCount: 240)))
            eventLoop.run()
        }
    }

    @Test func aForeignTrackIsHeardAndTheStatusSaysHow() throws {
        let channel = TestMedia.channel(clock: clock, transcoders: factory)
        let epoch = try begin(channel)
        let transcoder = try #require(factory.transcoders.first)
        #expect(transcoder.codec == Self.codec && transcoder.timescale == Timescale(8_000))
        #expect(channel.status().tracks[1].codec == "G.711 µ-law")
        transcoder.onOutput(.configuration(TestMedia.audioMono, Timescale(48_000)))
        push(epoch, 0..<500)
        let audio = channel.status().tracks[1]
        #expect(audio.codec == "AAC" && audio.transcodedFrom == "G.711 µ-law" && audio.channels == 1)
        #expect(audio.bitRate == 64_000, "as the publisher sends it")
        #expect(transcoder.unitCount == 500)
        let observer = PlaylistObserver(channel, clock: clock)
        let multivariant = try #require(observer.loadAll())
        #expect(multivariant.variants.first?.codecs == ["avc1.64001e", "mp4a.40.2"])
        #expect(observer.load("audio")?.segments.allSatisfy { !$0.isGap && abs($0.duration - 2) < 0.05 } == true)
        #expect(channel.status().errors.isEmpty)
        // Readers get what the publisher sends.
        #expect(channel.fanOut.broadcast?.tracks[1].foreignCodec == Self.codec)
        #expect(channel.fanOut.broadcast?.tracks[1].track.timescale == Timescale(8_000))
        epoch.end(reason: "done")
        #expect(transcoder.isClosed)
        transcoder.onOutput(.unit(Self.unit(0)))
        transcoder.onOutput(.failed("late"))
        eventLoop.run()
        #expect(channel.status().errors.map(\.message) == ["the push ended: done"])
    }

    @Test func withoutATranscoderTheTrackIsLeftOutAndSaidSo() throws {
        let channel = TestMedia.channel(clock: clock)
        let epoch = try begin(channel)
        push(epoch, 0..<300)
        let errors = channel.status().errors.map(\.message)
        #expect(
            errors == [
                "the audio track is G.711 µ-law, which HLS does not carry, and there is no transcoder for it; "
                    + "it is left out"
            ])
        let multivariant = try #require(PlaylistObserver(channel, clock: clock).loadAll())
        #expect(multivariant.renditions.isEmpty)
        #expect(channel.status().tracks[1].codec == "G.711 µ-law")
        #expect(channel.status().tracks[1].transcodedFrom == nil)
        #expect(channel.status().tracks[1].bitRate == 64_000, "it is measured all the same")
        #expect(channel.fanOut.broadcast?.tracks.count == 2, "and read")
    }

    @Test func aTranscoderThatDoesNotStartIsAnErrorInWords() throws {
        let channel = TestMedia.channel(clock: clock, transcoders: FakeTranscoderFactory(isBroken: true))
        let epoch = try begin(channel)
        push(epoch, 0..<300)
        #expect(
            channel.status().errors.map(\.message) == [
                "the audio track is G.711 µ-law, which HLS does not carry, and its transcoder does not start: "
                    + "out of encoders; it is left out"
            ])
        #expect(channel.window().isPlayable)
    }

    @Test func aTranscoderThatFailsLeavesTheOtherTrackAlone() throws {
        let channel = TestMedia.channel(clock: clock, transcoders: factory)
        let epoch = try begin(channel)
        let transcoder = try #require(factory.transcoders.first)
        transcoder.onOutput(.configuration(TestMedia.audioMono, Timescale(48_000)))
        push(epoch, 0..<300)
        transcoder.onOutput(.failed("no memory"))
        transcoder.onOutput(.unit(Self.unit(0)))
        eventLoop.run()
        #expect(transcoder.isClosed)
        #expect(
            channel.status().errors.map(\.message) == [
                "audio (G.711 µ-law): the transcoder of the track has failed: no memory; it is left out"
            ])
        #expect(channel.status().tracks[1].transcodedFrom == nil)
        #expect(channel.status().tracks[1].codec == "G.711 µ-law")
        let before = try #require(channel.window().rendition(named: "video")?.listed.count)
        push(epoch, 300..<1_000)
        #expect(try #require(channel.window().rendition(named: "video")?.listed.count) > before)
        epoch.end(reason: "done")
    }

    /// The push must not wait for the audio for ever.
    @Test func aTranscoderThatBringsNothingIsNotWaitedForButMayStillDoSo() throws {
        let channel = TestMedia.channel(clock: clock, transcoders: factory)
        let epoch = try begin(channel)
        for step in 0..<150 {
            clock.advance(by: .milliseconds(40))
            epoch.append(Self.unit(Int64(step) * 3_600, isKeyFrame: step % 50 == 0), trackID: 0)
        }
        #expect(channel.window().isPlayable)
        #expect(
            channel.status().errors.map(\.message) == [
                "the declared audio track has sent nothing yet; the channel is shown without it until it comes"
            ])
        let transcoder = try #require(factory.transcoders.first)
        #expect(!transcoder.isClosed)
        transcoder.onOutput(.configuration(TestMedia.audioMono, Timescale(48_000)))
        for step in 150..<300 {
            clock.advance(by: .milliseconds(40))
            transcoder.onOutput(.unit(Self.unit(Int64(step) * 1_920)))
            eventLoop.run()
            epoch.append(Self.unit(Int64(step) * 3_600, isKeyFrame: step % 50 == 0), trackID: 0)
        }
        #expect(channel.window().rendition(named: "audio")?.listsMedia == true)
        epoch.end(reason: "done")
    }

    @Test func aTranscoderMayBringAnotherMediumOrChangeItsClock() throws {
        let channel = TestMedia.channel(clock: clock, transcoders: factory)
        let epoch = try begin(channel)
        let transcoder = try #require(factory.transcoders.first)
        transcoder.onOutput(.configuration(TestMedia.audioMono, Timescale(48_000)))
        push(epoch, 0..<200)
        // Times are carried over to the clock that the track began with.
        transcoder.onOutput(.configuration(TestMedia.audioMono, Timescale(96_000)))
        push(epoch, 200..<500, outputTimescale: 96_000)
        let audio = try #require(channel.window().rendition(named: "audio"))
        #expect(audio.listed.allSatisfy { abs($0.duration.seconds - 2) < 0.05 })
        #expect(channel.status().errors.isEmpty)
        transcoder.onOutput(.configuration(TestMedia.video360, .video90kHz))
        eventLoop.run()
        #expect(channel.status().errors.last?.message.contains("another media type") == true)
    }

    @Test func anOverloadIsSaidOnce() throws {
        let channel = TestMedia.channel(clock: clock, transcoders: factory)
        let epoch = try begin(channel)
        factory.transcoders.first?.fill()
        for step in 0..<20 { epoch.append(Self.unit(Int64(step) * 160), trackID: 1) }
        #expect(
            channel.status().errors.map(\.message) == [
                "the audio track comes faster than it can be transcoded; some of it is dropped"
            ])
    }

    @Test func aWaitingPushHasNoTranscoder() throws {
        let channel = TestMedia.channel(
            clock: clock, publishing: PublishingPolicy(secondPublisher: .queue), transcoders: factory)
        let first = SyntheticPublisher(channel, clock: clock)
        try first.begin()
        let epoch = try begin(channel)
        epoch.append(Self.unit(0), trackID: 1)
        #expect(factory.transcoders.isEmpty)
        first.end()
        eventLoop.run()
        #expect(factory.transcoders.count == 1)
        epoch.end(reason: "done")
        #expect(factory.transcoders.first?.isClosed == true)
    }
}

struct TranscoderRelayTests {
    let eventLoop = EmbeddedEventLoop()

    private final class Deliveries: Sendable {
        private let state = Mutex([TranscoderRelay<LiveTranscoderOutput>.Delivery]())
        var all: [TranscoderRelay<LiveTranscoderOutput>.Delivery] { state.withLock { $0 } }
        func add(_ delivery: TranscoderRelay<LiveTranscoderOutput>.Delivery) { state.withLock { $0.append(delivery) } }
    }

    private func unit(_ time: Int64, isKeyFrame: Bool) -> LiveTranscoderOutput {
        .unit(
            AccessUnit(
                decodeTime: time, presentationTime: time, isRandomAccessPoint: isKeyFrame,
                payload: .frame(ByteBuffer())))
    }

    private func times(_ delivery: TranscoderRelay<LiveTranscoderOutput>.Delivery?) -> [Int64] {
        delivery?.outputs.compactMap { if case .unit(let unit) = $0 { unit.decodeTime } else { nil } } ?? []
    }

    @Test func oneTaskBringsAllThatHasCome() {
        let deliveries = Deliveries()
        let relay = TranscoderRelay<LiveTranscoderOutput>(eventLoop: eventLoop) { deliveries.add($0) }
        for time in 0..<10 { relay.receive(unit(Int64(time), isKeyFrame: true)) }
        #expect(deliveries.all.isEmpty)
        eventLoop.run()
        #expect(deliveries.all.count == 1)
        #expect(times(deliveries.all.first) == Array(0..<10))
        relay.receive(unit(10, isKeyFrame: true))
        eventLoop.run()
        #expect(times(deliveries.all.last) == [10])
    }

    /// Never a broken frame: what follows a dropped one goes, too.
    @Test func aLoopThatIsBehindLosesUnitsUpToTheNextKeyFrame() {
        let deliveries = Deliveries()
        let relay = TranscoderRelay<LiveTranscoderOutput>(eventLoop: eventLoop) { deliveries.add($0) }
        let limit = Int64(TranscoderRelay<LiveTranscoderOutput>.maximumUnitCount)
        for time in 0..<(limit + 10) { relay.receive(unit(time, isKeyFrame: time == 0)) }
        relay.receive(.configuration(TestMedia.video360, .video90kHz))
        relay.receive(.failed("x"))
        eventLoop.run()
        #expect(times(deliveries.all.first) == Array(0..<limit))
        #expect(deliveries.all.first?.outputs.count == Int(limit) + 2, "parameters and failures are kept")
        #expect(deliveries.all.first?.droppedUnitCount == 10)
        relay.receive(unit(100, isKeyFrame: false))
        relay.receive(unit(101, isKeyFrame: true))
        relay.receive(unit(102, isKeyFrame: false))
        eventLoop.run()
        #expect(times(deliveries.all.last) == [101, 102])
        #expect(deliveries.all.last?.droppedUnitCount == 1)
    }

    @Test func whatIsClosedDeliversNothing() {
        let deliveries = Deliveries()
        let relay = TranscoderRelay<LiveTranscoderOutput>(eventLoop: eventLoop) { deliveries.add($0) }
        relay.receive(unit(0, isKeyFrame: true))
        relay.close()
        relay.receive(unit(1, isKeyFrame: true))
        eventLoop.run()
        #expect(deliveries.all.isEmpty)
    }
}
