import BoardDrawing
import Codecs
import DASHManifest
import HLSPlaylist
import MediaCore
import NIOCore
import NIOEmbedded
import Packaging
import Synchronization
import TestSupport
import Testing

@testable import LiveChannels

/// Ladders that return each picture a little later, in few bytes.
final class FakeLadders: LiveLadderFactory {
    final class Ladder: LiveLadder {
        let plan: LiveLadderPlan
        private let onOutput: @Sendable (LiveLadderOutput) -> Void
        private let state = Mutex(State())

        private struct State {
            var units: [AccessUnit] = []
            var configurations: [CodecConfiguration] = []
            var isClosed = false
            var isWatched = true
            var boards: [DatedBoard] = []
            var dates: [(time: Int64, date: WallClockTime)] = []
            var encoded: Set<Int> = []
            var hasConfigured = false
            var needsKeyFrame = true
        }

        init(_ plan: LiveLadderPlan, onOutput: @escaping @Sendable (LiveLadderOutput) -> Void) {
            (self.plan, self.onOutput) = (plan, onOutput)
            state.withLock { $0.encoded = Set(plan.presets.indices) }
        }

        func send(_ unit: AccessUnit, _ configuration: CodecConfiguration) {
            state.withLock { if !$0.isClosed { $0.units.append(unit) } }
        }

        func setWatched(_ isWatched: Bool) { state.withLock { $0.isWatched = isWatched } }
        func show(_ boards: [DatedBoard]) { state.withLock { $0.boards = boards } }
        func setDate(_ date: WallClockTime, at time: Int64) { state.withLock { $0.dates.append((time, date)) } }
        func close() { state.withLock { $0.isClosed = true } }

        var isClosed: Bool { state.withLock { $0.isClosed } }
        var isWatched: Bool { state.withLock { $0.isWatched } }
        var boards: [DatedBoard] { state.withLock { $0.boards } }
        var dates: [(time: Int64, date: WallClockTime)] { state.withLock { $0.dates } }

        /// Returns what has come, but for the newest pictures.
        func work(holdingBack count: Int = 2) {
            let (units, encoded, isFirst) = state.withLock { state in
                let ready = Array(state.units.prefix(max(0, state.units.count - count)))
                state.units.removeFirst(ready.count)
                defer { state.hasConfigured = state.hasConfigured || !ready.isEmpty }
                return (ready, state.encoded, !state.hasConfigured && !ready.isEmpty)
            }
            if isFirst {
                for rung in plan.presets.indices { onOutput(.configuration(rung: rung, TestMedia.video360)) }
            }
            for unit in units {
                for rung in plan.presets.indices where encoded.contains(rung) {
                    var made = unit
                    made.payload = .nalUnits([
                        FragmentedNALUnit(ByteBuffer(repeating: unit.isRandomAccessPoint ? 0x65 : 0x41, count: 50))
                    ])
                    onOutput(.unit(rung: rung, made))
                }
            }
        }

        /// The encoder ends, and what it was sent is lost.
        func interrupt() {
            state.withLock { $0.units = [] }
            onOutput(.interrupted("it was killed by SIGKILL"))
        }

        func set(_ new: LiveRungState, rung: Int) {
            state.withLock { state in
                if new == .encoded { state.encoded.insert(rung) } else { state.encoded.remove(rung) }
            }
            onOutput(.state(rung: rung, new))
        }

        func fail() { onOutput(.failed("no encoder")) }
        func say(_ output: LiveLadderOutput) { onOutput(output) }
    }

    private let made = Mutex([Ladder]())
    var ladders: [Ladder] { made.withLock { $0 } }

    func makeLadder(
        _ plan: LiveLadderPlan, onOutput: @escaping @Sendable (LiveLadderOutput) -> Void
    ) throws -> any LiveLadder {
        let ladder = Ladder(plan, onOutput: onOutput)
        made.withLock { $0.append(ladder) }
        return ladder
    }
}

/// A channel that is also made in lower qualities.
struct LadderTests {
    private let clock = TestClock()
    private let ladders = FakeLadders()
    private let events = Events()

    private final class Events: Sendable {
        private let state = Mutex([LiveChannelEvent.Kind]())
        func add(_ event: LiveChannelEvent) { state.withLock { $0.append(event.kind) } }
        var rungs: [LiveChannelEvent.Kind] {
            state.withLock { $0.filter { if case .rung = $0 { true } else { false } } }
        }
    }

    private func channel(onDemand: Bool = false, drawsScoreboard: Bool = false, restreamsScoreboard: Bool = false)
        -> LiveChannel
    {
        var configuration = TestMedia.channelConfiguration()
        configuration.ladder = TestMedia.presets.reversed()
        configuration.isLadderOnDemand = onDemand
        configuration.relays.restreamsScoreboard = restreamsScoreboard
        if drawsScoreboard { configuration.scoreboardPreset = TestMedia.presets.last }
        return LiveChannel(
            configuration: configuration,
            with: ChannelEquipment(ladders: ladders, observer: { [events] in events.add($0) }), clock: clock.wallClock,
            logger: TestMedia.silent)
    }

    private func begin(
        _ channel: LiveChannel, _ video: CodecConfiguration = TestMedia.video720
    ) throws -> SyntheticPublisher {
        var settings = SyntheticPublisher.Settings()
        settings.video = video
        let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        try publisher.begin()
        return publisher
    }

    /// Pushes in steps of a frame, so that the ladder answers in time.
    private func run(
        _ publisher: SyntheticPublisher, seconds: Double, works: Bool = true, _ each: () -> Void = {}
    ) {
        for _ in 0..<Int(seconds * 25) {
            publisher.run(seconds: 0.04)
            if works { ladders.ladders.last?.work() }
            publisher.eventLoop.run()
            each()
        }
    }

    private static let low = RenditionID(.video, variant: "low")

    @Test func playersFindEveryQuality() throws {
        let channel = channel()
        let publisher = try begin(channel)
        let observer = PlaylistObserver(channel, clock: clock)
        run(publisher, seconds: 30) {
            observer.load("video-low"); observer.load("video-medium"); observer.loadAll()
        }
        let multivariant = try #require(observer.loadAll())
        #expect(multivariant.variants.map(\.uri).prefix(3) == ["video.m3u8", "video-low.m3u8", "video-medium.m3u8"])
        #expect(multivariant.variants.prefix(3).allSatisfy { $0.audioGroupID == "audio" && $0.frameRate == 25 })
        #expect(multivariant.iFrameVariants.first?.resolution?.width == 640, "of the lowest")
        let window = channel.window()
        let renditions = window.renditions.filter { $0.mediaType == .video }
        #expect(renditions.count == 3 && Set(renditions.map(\.firstMediaSequence)).count == 1)
        for (source, rung) in zip(renditions[0].listed, renditions[1].listed) {
            #expect(source.presentationStart == rung.presentationStart && source.duration == rung.duration)
        }
        let status = try #require(channel.status().ladder)
        #expect(
            status.map(\.name) == ["medium", "low"] && status.allSatisfy { $0.state == .encoded && $0.width == 640 })
        publisher.end()
        #expect(ladders.ladders.last?.isClosed == true && channel.status().ladder == nil)
    }

    /// Players that draw the score themselves must not come upon a picture that has it already.
    @Test func theQualityWithTheScoreboardIsOfferedToThoseWhoAskForIt() throws {
        let channel = channel(drawsScoreboard: true)
        let publisher = try begin(channel)
        run(publisher, seconds: 6)
        let window = channel.window()
        let usual = window.multivariantPlaylist()
        #expect(usual.variants.map(\.uri).prefix(3) == ["video.m3u8", "video-low.m3u8", "video-medium.m3u8"])
        let drawn = window.multivariantPlaylist(.withScoreboard)
        #expect(drawn.variants.map(\.uri) == ["video-scoreboard.m3u8", "audio.m3u8"] && drawn.iFrameVariants.isEmpty)
        #expect(drawn.variants.first?.audioGroupID == "audio")
        let rendered = window.presentation(now: clock.time).rendered()
        #expect(rendered.contains("video-low") && !rendered.contains("scoreboard"))
        let low = try #require(window.rendition(named: "video-low"))
        #expect(!window.mediaPlaylist(of: low).renditionReports.contains { $0.uri.contains("scoreboard") })
        #expect(channel.status().ladder?.map(\.name) == ["medium", "medium-scoreboard", "low"])
        #expect(ladders.ladders.last?.plan.boardRung == 1)
        // While it is not made, a player that asks for it shows the channel at least.
        ladders.ladders.last?.set(.dropped, rung: 1)
        publisher.eventLoop.run()
        #expect(channel.window().multivariantPlaylist(.withScoreboard).variants.first?.uri == "video.m3u8")
    }

    private final class Restream: LiveFanOutReceiver {
        private(set) var units: [LiveUnit] = []
        private(set) var ends = 0

        func receive(_ event: LiveFanOutEvent, subscription: Int) {
            switch event {
            case .unit(let unit): units.append(unit)
            case .ended: ends += 1
            case .began, .configured: break
            }
        }
    }

    /// Other services get the audio of the publisher and the video with the board, in the order of time.
    @Test func restreamsGetThePictureWithTheScoreboard() throws {
        let channel = channel(onDemand: true, drawsScoreboard: true, restreamsScoreboard: true)
        let publisher = try begin(channel)
        #expect(channel.restreamed === channel.drawnFanOut && channel.restreamed.broadcast == nil)
        let restream = Restream()
        _ = channel.drawnFanOut.subscribe(restream, on: publisher.eventLoop)
        run(publisher, seconds: 4)
        let broadcast = try #require(channel.restreamed.broadcast)
        let sent = try #require(channel.fanOut.broadcast)
        #expect(broadcast.tracks.map(\.track.mediaType) == sent.tracks.map(\.track.mediaType))
        let index = try #require(broadcast.tracks.firstIndex { $0.track.mediaType == .video })
        #expect(broadcast.tracks[index].configuration == TestMedia.video360, "that of the quality")
        #expect(sent.tracks[index].configuration == TestMedia.video720)
        let videos = restream.units.filter { $0.trackIndex == index }.map(\.unit)
        #expect(videos.count > 80 && videos.first?.isRandomAccessPoint == true)
        #expect(restream.units.contains { $0.trackIndex != index })
        // Audio waits for the video of its time.
        func seconds(_ unit: LiveUnit) -> Double {
            let timescale = broadcast.tracks[unit.trackIndex].track.timescale
            return MediaTime(value: unit.unit.decodeTime, timescale: timescale).seconds
        }
        let times = restream.units.map(seconds)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > -0.05 })
        ladders.ladders.last?.set(.dropped, rung: 1)
        publisher.eventLoop.run()
        #expect(restream.ends == 1 && channel.restreamed.broadcast == nil)
        ladders.ladders.last?.set(.encoded, rung: 1)
        run(publisher, seconds: 3)
        #expect(channel.restreamed.broadcast != nil)
        publisher.end()
        publisher.eventLoop.run()
        #expect(restream.ends == 2 && channel.restreamed.broadcast == nil)
    }

    @Test func theLadderKnowsTheScoreboardAndTheDatesOfFrames() throws {
        let channel = channel(drawsScoreboard: true)
        let board = DatedBoard(from: clock.time, board: BoardPicture(sides: []))
        channel.boards.show([board])
        let publisher = try begin(channel)
        run(publisher, seconds: 8)
        let ladder = try #require(ladders.ladders.last)
        #expect(ladder.boards == [board])
        let source = try #require(channel.window().rendition(named: "video"))
        for segment in source.listed {
            let time = try #require(segment.parts.first).presentationStart
            let dates = ladder.dates.filter { $0.date == segment.programDateTime }
            #expect(dates.contains { $0.time == time.converted(to: ladder.plan.timescale).value })
        }
        // Before the first part is finished, frames have the date of their arrival.
        let first = try #require(ladder.dates.first)
        let told = try #require(ladder.dates.dropFirst().first)
        #expect(abs(told.date.milliseconds(since: first.date)) < 500)
        channel.boards.show([board, DatedBoard(from: clock.time, board: nil)])
        #expect(ladder.boards.count == 2)
        publisher.end()
        channel.boards.show([])
        #expect(ladder.boards.count == 2)
    }

    /// Viewers of a lower quality can go back as far as everybody else: where memory ends it has gaps, and players
    /// take what was sent.
    @Test func aQualityReachesBackAsFarAsTheTimeShift() throws {
        let archive = try ArchiveFixture(ArchivePolicy(windowSeconds: 60), clock: clock, ladders: ladders)
        let publisher = try begin(archive.channel)
        for _ in 0..<90 {
            run(publisher, seconds: 1)
            archive.writer.flush()
            archive.writer.maintain()
        }
        let window = archive.channel.window()
        let videos = window.renditions.filter { $0.mediaType == .video }
        #expect(videos.count == 3 && Set(videos.map(\.firstMediaSequence)).count == 1)
        #expect(Set(videos.map { Int($0.listedSeconds.rounded()) }).count == 1 && window.listedSeconds >= 60)
        let source = try #require(videos.first { !$0.id.isRung })
        #expect(source.archived.segments.allSatisfy { !$0.isGap })
        for rung in videos where rung.id.isRung {
            #expect(rung.archived.segments.allSatisfy(\.isGap) && rung.listed.allSatisfy { !$0.isGap })
            #expect(
                rung.archived.segments.map(\.header.mediaSequence)
                    == source.archived.segments.map(\.header.mediaSequence))
        }
        #expect(archive.channel.window().offeredVideos(.lowLatency).videos.count == 3)
    }

    /// Players load the multivariant playlist once.
    @Test func theFirstViewersWaitALittleForTheQualities() throws {
        let channel = channel()
        let publisher = try begin(channel)
        var playable: Double?
        run(publisher, seconds: 3) {
            if playable == nil, channel.window().isPlayable {
                playable = publisher.elapsedSeconds
                #expect(channel.window().multivariantPlaylist().variants.count == 4)
            }
        }
        #expect(try #require(playable) < 0.7)
    }

    @Test func aLadderThatDoesNotComeHoldsNobodyUp() throws {
        let channel = channel()
        let publisher = try begin(channel)
        var playable: Double?
        run(publisher, seconds: 3, works: false) {
            if playable == nil, channel.window().isPlayable { playable = publisher.elapsedSeconds }
        }
        #expect(try #require(playable) < 1.2 && channel.window().multivariantPlaylist().variants.count == 2)
    }

    @Test func qualitiesThatAreNotSmallerThanTheSourceAreNotMade() throws {
        let channel = channel()
        let publisher = try begin(channel, TestMedia.video360)
        run(publisher, seconds: 4)
        #expect(ladders.ladders.map { $0.plan.presets.map(\.name) } == [["low"]])
        #expect(channel.status().ladder?.map(\.rendition) == ["video-low"])
    }

    @Test func aPublisherThatComesBackGoesOnInEveryQuality() throws {
        let channel = channel()
        var publisher = try begin(channel)
        let observer = PlaylistObserver(channel, clock: clock)
        run(publisher, seconds: 10) { observer.load("video-low") }
        publisher.end()
        clock.advance(by: .seconds(3))
        publisher = try begin(channel)
        run(publisher, seconds: 20) {
            observer.load("video-low")
            observer.loadAll()
        }
        let playlist = try #require(observer.load("video-low"))
        #expect(playlist.segments.filter(\.isDiscontinuous).count == 1 && !playlist.segments.contains(where: \.isGap))
        #expect(ladders.ladders.count == 2)
    }

    @Test func anEncoderThatEndsLeavesNoTraceInTheSource() throws {
        let channel = channel()
        let publisher = try begin(channel)
        let observer = PlaylistObserver(channel, clock: clock)
        run(publisher, seconds: 9.4) { observer.load("video-low") }
        ladders.ladders.last?.interrupt()
        run(publisher, seconds: 0.6, works: false) { observer.load("video-low") }
        run(publisher, seconds: 12) {
            observer.load("video-low")
            observer.loadAll()
        }
        let window = channel.window()
        let source = try #require(window.rendition(named: "video"))
        #expect(source.listed.allSatisfy { !$0.isDiscontinuous && $0.parts.reduce(0) { $0 + $1.sampleCount } == 50 })
        let rung = try #require(window.rendition(named: "video-low"))
        #expect(rung.listed.allSatisfy { !$0.isGap && !$0.isDiscontinuous })
        #expect(channel.status().errors.contains { $0.message.contains("starts again") })
    }

    @Test func aQualityThatIsDroppedIsAGapAndNotOffered() throws {
        let channel = channel()
        let publisher = try begin(channel)
        let observer = PlaylistObserver(channel, clock: clock)
        run(publisher, seconds: 9) { observer.load("video-medium") }
        try #require(ladders.ladders.last).set(.dropped, rung: 0)
        run(publisher, seconds: 11) { observer.load("video-medium") }
        #expect(channel.status().ladder?.map(\.state) == [.dropped, .encoded])
        let offered = channel.window().multivariantPlaylist()
        #expect(offered.variants.map(\.uri) == ["video.m3u8", "video-low.m3u8", "audio.m3u8"])
        let playlist = try #require(observer.load("video-medium"))
        let gaps = playlist.segments.filter(\.isGap)
        #expect(gaps.count >= 4 && gaps.allSatisfy { $0.parts.allSatisfy(\.isGap) })
        for gap in gaps { #expect(observer.fetch(gap.uri) != nil, "players that know no gaps get a picture") }
        #expect(channel.window().rendition(named: "video")?.listed.allSatisfy { !$0.isDiscontinuous } == true)
        try #require(ladders.ladders.last).set(.encoded, rung: 0)
        run(publisher, seconds: 8) { observer.load("video-medium") }
        #expect(channel.window().multivariantPlaylist().variants.count == 4)
        #expect(observer.load("video-medium")?.segments.last?.isGap == false)
        #expect(
            events.rungs == [.rung(name: "medium", state: .dropped), .rung(name: "medium", state: .encoded)])
    }

    /// Its bit rate is what it was, not that of still pictures.
    @Test func aQualityThatSleepsIsOffered() throws {
        let channel = channel(onDemand: true)
        let publisher = try begin(channel)
        run(publisher, seconds: 16)
        let before = try #require(channel.window().multivariantPlaylist().variants.first { $0.uri == "video-low.m3u8" })
        #expect(ladders.ladders.last?.isWatched == true, "until its qualities are there")
        run(publisher, seconds: 8)
        #expect(ladders.ladders.last?.isWatched == false)
        for rung in 0..<2 { ladders.ladders.last?.set(.asleep, rung: rung) }
        run(publisher, seconds: 20)
        let after = try #require(channel.window().multivariantPlaylist().variants.first { $0.uri == "video-low.m3u8" })
        #expect(after.resolution == before.resolution && after.frameRate == before.frameRate)
        #expect(abs(after.bandwidth - before.bandwidth) < before.bandwidth / 10 && events.rungs.isEmpty)
    }

    @Test func aLadderThatFailsIsSaidAndTheChannelGoesOn() throws {
        let channel = channel()
        let publisher = try begin(channel)
        run(publisher, seconds: 5)
        ladders.ladders.last?.fail()
        run(publisher, seconds: 10)
        #expect(channel.window().multivariantPlaylist().variants.map(\.uri) == ["video.m3u8", "audio.m3u8"])
        #expect(channel.status().ladder?.allSatisfy { $0.state == .failed } == true)
        #expect(channel.status().errors.contains { $0.message.contains("no encoder") })
        #expect(ladders.ladders.last?.isClosed == true)
    }

    /// The encoder is not trusted.
    @Test func unitsThatAreNotOfTheSourceAreLeftOut() throws {
        let channel = channel()
        let publisher = try begin(channel)
        run(publisher, seconds: 5)
        let ladder = try #require(ladders.ladders.last)
        for time in [Int64.min, -1, 0, 1_000_000, .max - 1, .max] {
            ladder.say(
                .unit(
                    rung: 0,
                    AccessUnit(
                        decodeTime: time, presentationTime: time, isRandomAccessPoint: true,
                        payload: .nalUnits([FragmentedNALUnit(ByteBuffer(repeating: 0x65, count: 50))]))))
        }
        ladder.say(.state(rung: 9, .dropped))
        ladder.say(.configuration(rung: 9, TestMedia.video360))
        run(publisher, seconds: 5)
        let window = channel.window()
        let (source, rung) = (window.renditions[0], try #require(window.rendition(named: "video-medium")))
        for (segment, made) in zip(source.listed, rung.listed) {
            #expect(segment.presentationStart == made.presentationStart && segment.duration == made.duration)
        }
    }

    /// Only then is a key frame accepted that the source does not have, and only one.
    @Test func anInterruptedLadderMayGoOnWithinAGroup() {
        let plan = LiveLadderPlan(
            configuration: TestMedia.video720, timescale: .video90kHz, presets: TestMedia.presets, encoder: "libx264")
        var ladder = EpochLadder(
            FakeLadders.Ladder(plan) { _ in },
            relay: TranscoderRelay<LiveLadderOutput>(eventLoop: EmbeddedEventLoop()) { _ in }, timescale: .video90kHz,
            codec: "H.264", rungs: [EpochLadder.Rung(preset: TestMedia.presets[0], rendition: Self.low)])
        func unit(_ time: Int64, isKey: Bool = true) -> AccessUnit {
            AccessUnit(
                decodeTime: time - 7_200, presentationTime: time, isRandomAccessPoint: isKey,
                payload: .frame(ByteBuffer(repeating: 1, count: 1)))
        }
        for frame in Int64(0)..<50 { ladder.send(unit(900_000 + frame * 3_600, isKey: frame == 0), TestMedia.video720) }
        #expect(ladder.placed(unit(936_000), rung: 0) == nil)
        ladder.noteInterruption()
        #expect(ladder.placed(unit(936_000), rung: 0)?.decodeTime == 928_800)
        #expect(ladder.placed(unit(972_000), rung: 0) == nil)
        #expect(ladder.placed(unit(975_600, isKey: false), rung: 0)?.decodeTime == 968_400)
    }

    /// A publisher may claim any distance between decoding and showing, and the encoder any time.
    @Test(arguments: [Int64.min, .min + 1, -1, 0, .max])
    func noTimeOfAPublisherOverflows(presentationTime: Int64) {
        let plan = LiveLadderPlan(
            configuration: TestMedia.video720, timescale: .video90kHz, presets: TestMedia.presets, encoder: "libx264")
        var ladder = EpochLadder(
            FakeLadders.Ladder(plan) { _ in },
            relay: TranscoderRelay<LiveLadderOutput>(eventLoop: EmbeddedEventLoop()) { _ in }, timescale: .video90kHz,
            codec: "H.264", rungs: [EpochLadder.Rung(preset: TestMedia.presets[0], rendition: Self.low)])
        func unit(_ time: Int64, decodeTime: Int64) -> AccessUnit {
            AccessUnit(
                decodeTime: decodeTime, presentationTime: time, isRandomAccessPoint: true,
                payload: .frame(ByteBuffer(repeating: 1, count: 1)))
        }
        ladder.send(unit(presentationTime, decodeTime: 90_000_000), TestMedia.video720)
        #expect(ladder.placed(unit(presentationTime, decodeTime: 0), rung: 0) == nil)
        ladder.send(unit(90_007_200, decodeTime: 90_003_600), TestMedia.video720)
        #expect(ladder.placed(unit(90_007_200, decodeTime: 0), rung: 0)?.decodeTime == 90_003_600)
    }

    @Test func playersOfDASHFindThemInTheSetOfTheSource() throws {
        let channel = channel()
        let publisher = try begin(channel)
        run(publisher, seconds: 20)
        var video = try #require(channel.window().presentation(now: clock.time).periods.last?.adaptationSets.first)
        #expect(video.representations.map(\.id) == ["video", "video-low", "video-medium"])
        ladders.ladders.last?.set(.dropped, rung: 0)
        run(publisher, seconds: 6)
        let presentation = channel.window().presentation(now: clock.time)
        video = try #require(presentation.periods.last?.adaptationSets.first)
        #expect(presentation.periods.count == 1 && video.representations.map(\.id) == ["video", "video-low"])
    }

    @Test func renditionsHaveTheNamesOfTheirPresets() {
        func preset(_ name: String) -> QualityPreset {
            QualityPreset(name: name, width: 16, height: 16, frameRate: 25, videoBitRate: 1, audioBitRate: 1)
        }
        let names = ["Low", "low", "my_preset", "360p", "averyveryverylongname"]
        #expect(
            RenditionID.rungs(names.map(preset)).map(\.name) == [
                "video-low", "video-r2", "video-r3", "video-360p", "video-r5",
            ])
    }
}
