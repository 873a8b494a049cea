import Codecs
import HLSPlaylist
import MediaCore
import NIOCore
import NIOEmbedded
import Packaging
import Synchronization
import TestSupport
import Testing

@testable import LiveChannels

struct SlateTests {
    let clock = TestClock()
    let slates = FakeSlates()

    /// Answers when the test says so.
    final class FakeSlates: SlateSource {
        private let waiting = Mutex([@Sendable (Result<Slate, any Error>) -> Void]())
        private let asked = Mutex([(shape: SlateShape, design: SlateDesign, hasPresent: Bool)]())
        var shapes: [SlateShape] { asked.withLock { $0.map(\.shape) } }
        var designs: [SlateDesign] { asked.withLock { $0.map(\.design) } }
        /// Of those that were asked for with one that there was.
        var presentCount: Int { asked.withLock { $0.count(where: \.hasPresent) } }

        func makeSlate(
            _ shape: SlateShape, design: SlateDesign, channel: String, present: Slate?,
            completion: @escaping @Sendable (Result<Slate, any Error>) -> Void
        ) {
            asked.withLock { $0.append((shape, design, present != nil)) }
            waiting.withLock { $0.append(completion) }
        }

        func answer(_ result: Result<Slate, any Error>) {
            for completion in waiting.withLock({ exchange(&$0, []) }) { completion(result) }
        }

        private func exchange<Value>(_ value: inout Value, _ other: Value) -> Value {
            defer { value = other }
            return value
        }
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String { "no encoder" }
    }

    /// Two seconds at 25 frames a second, and audio.
    static let slate = Slate(
        video: TestMedia.video720, timescale: .video90kHz,
        frames: (0..<50).map { index in
            let time = Int64(index) * 3_600
            return AccessUnit(
                decodeTime: time, presentationTime: time, isRandomAccessPoint: index == 0,
                payload: .nalUnits([FragmentedNALUnit(ByteBuffer(repeating: index == 0 ? 0x65 : 0x41, count: 500))]))
        }, duration: 180_000,
        silence: Slate.Silence(
            audio: TestMedia.audioStereo, timescale: Timescale(48_000), frame: ByteBuffer(repeating: 0x21, count: 20),
            duration: 1_024))

    private func channel(
        _ second: PublishingPolicy.SecondPublisher = .refuse, observer: LiveChannelEvent.Observer? = nil
    ) -> LiveChannel {
        LiveChannel(
            configuration: TestMedia.channelConfiguration(
                publishing: PublishingPolicy(secondPublisher: second), onLoss: LossPolicy(action: .slate)),
            with: ChannelEquipment(slates: slates, observer: observer), clock: clock.wallClock, logger: TestMedia.silent
        )
    }

    /// The push ends before the eyes of somebody.
    private func lose(_ publisher: SyntheticPublisher, isIntended: Bool = false) {
        publisher.channel.viewers.saw(1, now: clock.time)
        publisher.end(isIntended: isIntended)
    }

    /// Both clocks go on; somebody watches.
    private func pass(
        _ channel: LiveChannel, _ eventLoop: EmbeddedEventLoop, seconds: Double, watching: Bool = true,
        _ eachStep: () -> Void = {}
    ) {
        for _ in 0..<Int(seconds * 10) {
            clock.advance(by: .milliseconds(100))
            if watching { channel.viewers.saw(1, now: clock.time) }
            eventLoop.advanceTime(by: .milliseconds(100))
            eachStep()
        }
    }

    @Test func observersAreToldOfPushesAndNotOfSlates() throws {
        let events = Mutex<[LiveChannelEvent.Kind]>([])
        let channel = channel(observer: { event in events.withLock { $0.append(event.kind) } })
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.eventLoop.run()
        #expect(events.withLock { $0.isEmpty }, "nothing can be watched yet")
        publisher.run(seconds: 5)
        lose(publisher)
        pass(channel, publisher.eventLoop, seconds: 1.9)
        slates.answer(.success(Self.slate))
        pass(channel, publisher.eventLoop, seconds: 10)
        #expect(channel.status().slate == true)
        try publisher.begin()
        publisher.eventLoop.run()
        publisher.run(seconds: 5)
        publisher.end(reason: "the publisher ended the session", isIntended: true)
        let codecs = [TestMedia.video360, TestMedia.audioStereo].map(\.rfc6381)
        #expect(
            events.withLock { $0 } == [
                .up(codecs: codecs), .down(reason: "connection reset", isIntended: false), .up(codecs: codecs),
                .down(reason: "the publisher ended the session", isIntended: true),
            ])
        // A push of which nothing could be watched has no end either.
        try publisher.begin()
        publisher.eventLoop.run()
        publisher.end()
        #expect(events.withLock { $0.count } == 4)
    }

    @Test func viewersSeeItUntilThePublisherIsBack() throws {
        let channel = channel()
        let observer = PlaylistObserver(channel, clock: clock)
        var histories = PlaylistHistories()
        let publisher = SyntheticPublisher(channel, clock: clock)
        func look() {
            observer.loadAll()
            histories.load(channel)
        }
        for _ in 0..<2 {
            try publisher.begin()
            publisher.eventLoop.run()
            for _ in 0..<22 {
                publisher.run(seconds: 0.5)
                look()
            }
            #expect(channel.status().slate == nil && channel.status().state == .live)
            lose(publisher)
            let before = channel.status()
            pass(channel, publisher.eventLoop, seconds: 1.9, look)
            #expect(channel.status().slate == nil, "a quick reconnect shows none")
            slates.answer(.success(Self.slate))
            pass(channel, publisher.eventLoop, seconds: 30.3, look)
            let status = channel.status()
            #expect(status.slate == true && status.state == .interrupted)
            #expect(status.publisher == nil && status.tracks.isEmpty && status.presetComparison == nil)
            #expect(status.bytesIn == before.bytesIn && status.packetsLost == before.packetsLost)
            let video = try #require(observer.load("video"))
            #expect(video.segments.suffix(8).allSatisfy { !$0.isGap && !$0.isDiscontinuous && $0.duration == 2 })
        }
        try publisher.begin()
        publisher.eventLoop.run()
        #expect(channel.status().publisher != nil && channel.status().slate == nil)
        for _ in 0..<22 {
            publisher.run(seconds: 0.5)
            look()
        }
        let video = try #require(observer.load("video"))
        #expect((video.discontinuitySequence ?? 0) + video.segments.count(where: \.isDiscontinuous) == 4)
        #expect(
            Set(slates.shapes).count == 1 && slates.shapes.count == slates.presentCount + 1,
            "made once, and looked after since")
        #expect(slates.shapes.first?.frameRate == 25 && slates.shapes.first?.width == 640)
        #expect(slates.shapes.first?.sampleRate == 48_000 && slates.shapes.first?.keyFrameInterval == 2)
        #expect(histories.findings == [])
    }

    /// The slate is not part of the broadcast, and would split the recording.
    @Test(arguments: [0, 600]) func itIsNoPartOfARecording(_ windowSeconds: Int) throws {
        let archive = try ArchiveFixture(
            ArchivePolicy(windowSeconds: windowSeconds, recordsAlways: true), slates: slates,
            onLoss: LossPolicy(action: .slate))
        let (channel, clock) = (archive.channel, archive.clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        var histories = PlaylistHistories()
        for _ in 0..<2 {
            try publisher.begin()
            publisher.eventLoop.run()
            archive.run(publisher, seconds: 20)
            channel.viewers.saw(1, now: clock.time)
            publisher.end()
            slates.answer(.success(Self.slate))
            for _ in 0..<300 {
                clock.advance(by: .milliseconds(100))
                channel.viewers.saw(1, now: clock.time)
                publisher.eventLoop.advanceTime(by: .milliseconds(100))
                archive.writer.maintain()
                archive.writer.flush()
                histories.load(channel)
            }
            #expect(channel.status().slate == true)
            #expect(throws: RecordingError.self) { try channel.startRecording() }
        }
        #expect(archive.recordings().count == 1 && abs(archive.status.duration - 40) < 0.1)
        archive.pass(seconds: 31)
        #expect(archive.status.state == .idle && archive.recordings().count == 1)
        let title = try PackagedTitle(path: archive.path(ofRecording: try #require(archive.recordings().first)))
        #expect(abs(title.duration.seconds - 40) < 0.1)
        #expect(histories.findings == [])
    }

    @Test(arguments: PublishingPolicy.SecondPublisher.allCases)
    func aPublisherTakesTheChannelAtOnceWhateverThePolicy(_ policy: PublishingPolicy.SecondPublisher) throws {
        let channel = channel(policy)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 9)
        lose(publisher)
        slates.answer(.success(Self.slate))
        pass(channel, publisher.eventLoop, seconds: 10)
        #expect(channel.status().slate == true)
        #expect(channel.publishingError(presetName: nil) == nil)
        let (next, third) = (SyntheticPublisher(channel, clock: clock), SyntheticPublisher(channel, clock: clock))
        try next.begin()
        #expect(channel.status().publisher == nil, "the slate ends on its own loop")
        if policy == .refuse {
            #expect(throws: PublishingError.self, "taken by the one before") { try third.begin() }
        }
        publisher.eventLoop.run()
        next.eventLoop.run()
        #expect(channel.status().slate == nil && channel.status().publisher != nil)
        next.run(seconds: 5)
        #expect(channel.status().state == .live)
        #expect(channel.status().waitingPublishers.isEmpty)
        pass(channel, publisher.eventLoop, seconds: 5)
        #expect(channel.status().slate == nil)
    }

    @Test func itStopsForNobodyAndComesBackForAViewer() throws {
        let channel = channel()
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 9)
        lose(publisher)
        slates.answer(.success(Self.slate))
        pass(channel, publisher.eventLoop, seconds: 100)
        #expect(channel.status().slate == true)
        // The counter forgets a viewer after 20 s.
        pass(channel, publisher.eventLoop, seconds: 85, watching: false)
        #expect(channel.status().slate == nil && channel.status().state == .interrupted)
        pass(channel, publisher.eventLoop, seconds: 60, watching: false)
        #expect(channel.status().slate == nil)
        ask(channel, publisher.eventLoop)
        #expect(channel.status().slate == true)
        pass(channel, publisher.eventLoop, seconds: 5)
        try publisher.begin()
        publisher.eventLoop.run()
        publisher.run(seconds: 9)
        lose(publisher)
        pass(channel, publisher.eventLoop, seconds: 5)
        #expect(channel.status().slate == true)
        #expect(slates.shapes.count == 2 && slates.presentCount == 1)
    }

    @Test(arguments: [true, false]) func itIsMadeAheadForThoseWhoWatch(isWatched: Bool) throws {
        let channel = channel()
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        for _ in 0..<12 {
            if isWatched { channel.viewers.saw(1, now: clock.time) }
            publisher.run(seconds: 2)
        }
        #expect(slates.shapes.count == (isWatched ? 1 : 0))
        slates.answer(.success(Self.slate))
        guard isWatched else { return }
        #expect(channel.status().slate == nil)
        lose(publisher)
        #expect(slates.presentCount == 1, "its file may have changed meanwhile")
        // Nothing waits for the answer.
        pass(channel, publisher.eventLoop, seconds: 2.1)
        #expect(channel.status().slate == true)
    }

    /// A viewer asks for a playlist.
    private func ask(_ channel: LiveChannel, _ eventLoop: EmbeddedEventLoop) {
        channel.viewers.saw(1, now: clock.time)
        _ = channel.playlist(named: "video")
        eventLoop.run()
    }

    @Test func whereNobodyWatchesItIsNotEvenMade() throws {
        let channel = channel()
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 9)
        publisher.end()
        pass(channel, publisher.eventLoop, seconds: 30, watching: false)
        #expect(slates.shapes.isEmpty)
        for _ in 0..<3 { ask(channel, publisher.eventLoop) }
        #expect(slates.shapes.count == 1, "for who comes later")
        slates.answer(.success(Self.slate))
        publisher.eventLoop.run()
        #expect(channel.status().slate == true)
    }

    @Test(arguments: [true, false]) func whatCannotBeMadeIsTriedOnceAnAbsence(hasFrames: Bool) throws {
        let channel = channel()
        var settings = SyntheticPublisher.Settings()
        if !hasFrames { settings.video = nil }
        let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        try publisher.begin()
        publisher.run(seconds: 9)
        lose(publisher)
        slates.answer(.failure(Failure()))
        pass(channel, publisher.eventLoop, seconds: 5)
        for _ in 0..<3 { ask(channel, publisher.eventLoop) }
        #expect(slates.shapes.count == (hasFrames ? 1 : 0))
        #expect(!channel.withState { $0.awaitsViewer }, "asking costs nothing")
    }

    /// A file that changes into something that is none.
    @Test func theOneThatThereIsStaysWhereTheNextCannotBeMade() throws {
        let channel = channel()
        let publisher = SyntheticPublisher(channel, clock: clock)
        for answer in [.success(Self.slate), .failure(Failure())] as [Result<Slate, any Error>] {
            try publisher.begin()
            publisher.eventLoop.run()
            publisher.run(seconds: 9)
            lose(publisher)
            slates.answer(answer)
            pass(channel, publisher.eventLoop, seconds: 5)
            #expect(channel.status().slate == true)
        }
        #expect(channel.status().errors.last?.message == "the slate cannot be made: no encoder")
    }

    @Test func itGoesOnWhenWhoeverWasToFollowHasGone() throws {
        let channel = channel()
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 9)
        lose(publisher, isIntended: true)
        slates.answer(.success(Self.slate))
        pass(channel, publisher.eventLoop, seconds: 5)
        #expect(channel.status().slate == true && channel.status().state == .interrupted)
        let next = SyntheticPublisher(channel, clock: clock)
        try next.begin()
        next.end()
        publisher.eventLoop.run()
        #expect(channel.status().slate == true && channel.status().waitingPublishers.isEmpty)
        pass(channel, publisher.eventLoop, seconds: 5)
        #expect(channel.status().slate == true)
        #expect(channel.kick(reason: "enough"))
        publisher.eventLoop.run()
        ask(channel, publisher.eventLoop)
        #expect(channel.status().slate == nil)
    }

    @Test func oneThatIsMadeLateIsShownLate() throws {
        let channel = channel()
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 9)
        lose(publisher)
        pass(channel, publisher.eventLoop, seconds: 5)
        #expect(channel.status().slate == nil)
        try publisher.begin()
        slates.answer(.success(Self.slate))
        publisher.eventLoop.run()
        #expect(channel.status().slate == nil && channel.status().publisher != nil)
        publisher.run(seconds: 9)
        lose(publisher)
        pass(channel, publisher.eventLoop, seconds: 2.1)
        #expect(channel.status().slate == true)
    }

    @Test func withoutOneViewersWait() throws {
        let channel = channel()
        let publisher = SyntheticPublisher(channel, clock: clock)
        for _ in 0..<2 {
            try publisher.begin()
            publisher.run(seconds: 9)
            lose(publisher)
            slates.answer(.failure(Failure()))
            pass(channel, publisher.eventLoop, seconds: 5)
            #expect(channel.status().slate == nil && channel.status().state == .interrupted)
            #expect(channel.status().errors.last?.message == "the slate cannot be made: no encoder")
        }
        #expect(slates.shapes.count == 2, "each loss tries again")
        #expect(PlaylistObserver(channel, clock: clock).loadAll() != nil)
    }

    @Test func theServersEndEndsIt() throws {
        let channel = channel()
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 9)
        lose(publisher)
        slates.answer(.success(Self.slate))
        pass(channel, publisher.eventLoop, seconds: 5)
        channel.close()
        publisher.eventLoop.run()
        let segments = channel.window().rendition(named: "video")?.listed.count
        pass(channel, publisher.eventLoop, seconds: 5)
        #expect(channel.window().rendition(named: "video")?.listed.count == segments)
        #expect(channel.status().slate == nil)
    }

    // MARK: Shape

    @Test(arguments: [
        (25.0, 25, 1), (24.99, 25, 1), (29.97, 30_000, 1_001), (30.0, 30, 1), (23.976, 24_000, 1_001), (12.4, 12, 1),
        (0.2, 1, 1), (144.0, 60, 1),
    ])
    func aSlateHasTheChannelsFrameRate(measured: Double, frameRate: Int, divisor: Int) throws {
        let shape = try #require(
            SlateShape(
                video: TestMedia.video360, measuredFrameRate: measured, segmentDuration: 1.5,
                audio: TestMedia.audioMono))
        #expect(shape.frameRate == frameRate && shape.frameRateDivisor == divisor)
        #expect(shape.width == 640 && shape.height == 360 && shape.keyFrameInterval == 2)
        #expect(shape.sampleRate == 48_000 && shape.channelCount == 1)
    }

    @Test(arguments: [(0.5, 1), (1, 1), (2, 2), (2.5, 3), (10, 10), (12, 6), (13, 1), (30, 10)])
    func itsKeyFramesAreWhereSegmentsEnd(segmentDuration: Double, interval: Int) throws {
        let shape = SlateShape(
            video: TestMedia.video360, measuredFrameRate: 25, segmentDuration: segmentDuration, audio: nil)
        #expect(shape?.keyFrameInterval == interval)
    }
}
