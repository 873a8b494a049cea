import Foundation
import HLSPlaylist
import MediaCore
import Packaging
import TestSupport
import Testing

@testable import LiveChannels

/// Minutes of a publisher that makes all the mistakes that publishers make, with every playlist checked.
struct RandomPublisherTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func everyLoadFitsTheOnesBefore(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let clock = TestClock()
        let directory = try TemporaryDirectory()
        let store = try FileChannelStateStore(directory: directory.path, logger: TestMedia.silent)
        let channel = TestMedia.channel(clock: clock, store: store)
        let observer = PlaylistObserver(channel, clock: clock)
        var publisher = SyntheticPublisher(channel, clock: clock, settings: Self.settings(&random))
        try publisher.begin()
        var mutedSteps = 0
        for _ in 0..<250 {
            mutedSteps = publisher.muted.isEmpty ? 0 : mutedSteps + 1
            if mutedSteps > 6 { publisher.muted = [] }
            publisher.run(seconds: Double.random(in: 0.1...1.2, using: &random))
            observer.loadAll()
            try Self.disturb(&publisher, channel: channel, clock: clock, &random)
            observer.loadAll()
            #expect(channel.heldByteCount() < 16 << 20)
            #expect(channel.status().errors.count <= ErrorLog.maximumCount)
        }
        #expect(observer.loadCount > 100, "the channel was there most of the time")
    }

    /// The same with an archive: what lies on disk fits what was in memory, and every recording is a title.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func timeShiftAndRecordingsBearItToo(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed &+ 1_000)
        let windowSeconds = [20, 60, 900].randomElement(using: &random) ?? 60
        let archive = try ArchiveFixture(ArchivePolicy(windowSeconds: windowSeconds, recordsAlways: seed % 2 == 0))
        let (channel, clock) = (archive.channel, archive.clock)
        let observer = PlaylistObserver(channel, clock: clock)
        var publisher = SyntheticPublisher(channel, clock: clock, settings: Self.settings(&random))
        try publisher.begin()
        for step in 0..<200 {
            if step % 8 == 0 { publisher.muted = [] }
            archive.run(publisher, seconds: Double.random(in: 0.1...1.2, using: &random))
            try Self.disturb(&publisher, channel: channel, clock: clock, &random)
            archive.pass(seconds: 0)
            observer.loadAll()
            switch Int.random(in: 0..<20, using: &random) {
            case 0: _ = try channel.startRecording()
            case 1: try archive.stopRecording()
            default: break
            }
        }
        publisher.end()
        archive.writer.close()
        for name in archive.recordings() {
            #expect(name.hasSuffix(".mp4"))
            let title = try PackagedTitle(path: archive.path(ofRecording: name))
            #expect(title.duration.seconds > 0)
            let durations = title.renditions.map { MediaTime(value: $0.totalDuration, timescale: $0.track.timescale) }
            let packets = try await ProbedPacket.all(of: archive.path(ofRecording: name))
            for stream in 0..<2 {
                let times = packets.filter { $0.stream == stream }.map(\.decodeTime)
                #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(name)")
            }
            if durations.count == 2 { #expect(abs(durations[0].seconds - durations[1].seconds) < 15, "\(durations)") }
        }
        #expect(observer.loadCount > 80)
        #expect(!archive.recordings().isEmpty)
    }

    /// The same with servers that are killed, or told to end.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func timeShiftOutlivesServers(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 2_000)
        let windowSeconds = [60, 200, 900].randomElement(using: &random) ?? 60
        let servers = try ServerRestarts(ArchivePolicy(windowSeconds: windowSeconds, recordsAlways: seed % 4 == 0))
        let observer = PlaylistObserver(servers.current.channel, clock: servers.clock)
        var publisher = SyntheticPublisher(
            servers.current.channel, clock: servers.clock, settings: Self.settings(&random))
        try publisher.begin()
        for step in 0..<160 {
            if step % 8 == 0 { publisher.muted = [] }
            servers.current.run(publisher, seconds: Double.random(in: 0.1...2.4, using: &random))
            try Self.disturb(&publisher, channel: servers.current.channel, clock: servers.clock, &random)
            servers.current.pass(seconds: 0)
            observer.loadAll()
            switch Int.random(in: 0..<30, using: &random) {
            case 0: _ = try? servers.current.channel.startRecording()
            case 1: try servers.current.stopRecording()
            case 2...4:
                let end = [ServerRestarts.End.kill, .close].randomElement(using: &random) ?? .kill
                observer.forgetBackfilled()
                if end == .close { publisher.end() }
                try servers.restart(end, after: [0, 1, 9, 50].randomElement(using: &random) ?? 0)
                observer.channel = servers.current.channel
                if end == .kill { observer.forgetNewest(count: 4) }
                publisher = SyntheticPublisher(
                    servers.current.channel, clock: servers.clock, settings: Self.settings(&random))
                try publisher.begin()
            default: break
            }
        }
        #expect(observer.loadCount > 80)
    }

    private static func settings(_ random: inout SeededGenerator) -> SyntheticPublisher.Settings {
        var settings = SyntheticPublisher.Settings()
        settings.framesPerSecond = [10, 24, 25, 30, 50, 60].randomElement(using: &random) ?? 25
        settings.framesPerGroup = settings.framesPerSecond * Int64.random(in: 1...12, using: &random) / 2 + 1
        settings.announcesParameters = Bool.random(using: &random)
        settings.audioDelayMilliseconds = [0, 0, 40, 700, 2_500].randomElement(using: &random) ?? 0
        settings.firstPictureInGroup = Int64.random(in: 0..<settings.framesPerGroup, using: &random)
        settings.video = [TestMedia.video360, TestMedia.video720].randomElement(using: &random)
        settings.audio = [TestMedia.audioStereo, TestMedia.audioMono].randomElement(using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: settings.video = nil
        case 1: settings.audio = nil
        case 2: settings.silentTracks = [.audio]
        default: break
        }
        return settings
    }

    private static func disturb(
        _ publisher: inout SyntheticPublisher, channel: LiveChannel, clock: TestClock, _ random: inout SeededGenerator
    ) throws {
        // A jump before every track has begun, or while one is away, leaves them apart: the segmenters absorb jumps
        // each for itself.
        let canJump = publisher.muted.isEmpty && publisher.elapsedSeconds > 5
        switch Int.random(in: 0..<24, using: &random) {
        case 0:
            publisher.end(isIntended: Bool.random(using: &random))
            clock.advance(by: .milliseconds([0, 1, 500, 3_000, 60_000, 400_000].randomElement(using: &random) ?? 0))
            publisher = SyntheticPublisher(channel, clock: clock, settings: settings(&random))
            try publisher.begin()
        case 1 where canJump:
            publisher.jump(milliseconds: Int64.random(in: -10_000 ... -600, using: &random))
        case 2 where canJump:
            publisher.jump(milliseconds: Int64.random(in: 11_000...100_000, using: &random))
        case 3:
            publisher.jump(milliseconds: Int64.random(in: -20...20, using: &random))
        case 4: publisher.muted = publisher.settings.video == nil ? [] : [.audio]
        case 5...16: publisher.muted = []
        case 17: publisher.settings.video = publisher.settings.video.map { _ in TestMedia.video720 }
        case 18: publisher.settings.audio = publisher.settings.audio.map { _ in TestMedia.audioMono }
        case 19: #expect(throws: PublishingError.self) { try SyntheticPublisher(channel, clock: clock).begin() }
        default: break
        }
    }
}
