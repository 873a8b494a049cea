import MediaCore
import Packaging
import TestSupport
import Testing

@testable import LiveChannels

/// All renditions of a channel begin with the same segment at every moment, although audio segments never last exactly
/// as long as video segments.
struct AlignedWindowTests {
    private static func firsts(_ channel: LiveChannel) -> Set<Int> {
        Set(channel.window().renditions.map(\.firstMediaSequence))
    }

    /// Runs a publisher in steps shorter than the distance between a video segment and its audio.
    private static func run(
        _ publisher: SyntheticPublisher, seconds: Int, _ maintain: () -> Void = {},
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for step in 0..<seconds * 50 {
            publisher.run(seconds: 0.02)
            if step % 25 == 0 { maintain() }
            let firsts = firsts(publisher.channel)
            #expect(firsts.count <= 1, "\(publisher.elapsedSeconds): \(firsts)", sourceLocation: sourceLocation)
        }
    }

    private static func settings(_ framesPerSecond: Int64, _ framesPerGroup: Int64) -> SyntheticPublisher.Settings {
        var settings = SyntheticPublisher.Settings.fewBytes
        (settings.framesPerSecond, settings.framesPerGroup) = (framesPerSecond, framesPerGroup)
        return settings
    }

    @Test(arguments: [(Int64(25), Int64(50)), (24, 50), (30, 61), (10, 33)])
    func withoutTimeShift(_ framesPerSecond: Int64, _ framesPerGroup: Int64) throws {
        let clock = TestClock()
        let channel = TestMedia.channel(clock: clock)
        for _ in 0..<3 {
            let publisher = SyntheticPublisher(
                channel, clock: clock, settings: Self.settings(framesPerSecond, framesPerGroup))
            try publisher.begin()
            Self.run(publisher, seconds: 41)
            publisher.end()
            #expect(Self.firsts(channel).count == 1)
        }
    }

    @Test(arguments: [(Int64(25), Int64(50)), (24, 50), (30, 61)], [30, 90])
    func withTimeShift(_ frames: (Int64, Int64), _ windowSeconds: Int) throws {
        let archive = try ArchiveFixture(ArchivePolicy(windowSeconds: windowSeconds))
        for _ in 0..<3 {
            let publisher = SyntheticPublisher(
                archive.channel, clock: archive.clock, settings: Self.settings(frames.0, frames.1))
            try publisher.begin()
            Self.run(publisher, seconds: 70) {
                archive.writer.flush()
                archive.writer.maintain()
            }
            publisher.end()
            archive.pass(seconds: 1)
            #expect(Self.firsts(archive.channel).count == 1)
        }
    }

    /// The shorter rendition keeps what it must.
    @Test func noneIsShorterThanTheTimeShift() throws {
        let archive = try ArchiveFixture(ArchivePolicy(windowSeconds: 60))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock, settings: .fewBytes)
        try publisher.begin()
        archive.run(publisher, seconds: 150)
        for rendition in archive.channel.window().renditions {
            #expect((60...65).contains(rendition.listedSeconds), "\(rendition.name): \(rendition.listedSeconds)")
        }
    }

    @Test(arguments: [ServerRestarts.End.kill, .close]) func afterARestart(_ end: ServerRestarts.End) throws {
        let servers = try ServerRestarts(ArchivePolicy(windowSeconds: 60))
        var publisher = try servers.publisher(.fewBytes)
        for round in 0..<4 {
            // Ends everywhere between a video segment and its audio.
            servers.current.run(publisher, seconds: 70 + Double(round) * 0.51)
            publisher.run(seconds: 0.01 + Double(round) * 0.013)
            if end == .close { publisher.end() }
            try servers.restart(end, after: 3)
            publisher = try servers.publisher(.fewBytes)
            #expect(Self.firsts(servers.current.channel).count == 1)
            Self.run(publisher, seconds: 10) {
                servers.current.writer.flush()
                servers.current.writer.maintain()
            }
        }
    }
}
