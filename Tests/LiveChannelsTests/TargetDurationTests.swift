import HLSPlaylist
import MediaCore
import Packaging
import TestSupport
import Testing

@testable import LiveChannels

struct TargetDurationTests {
    let clock = TestClock()
    /// Longer than any window of these tests.
    static let longAbsence: Int64 = 200_000

    private func push(
        _ channel: LiveChannel, framesPerGroup: Int64, seconds: Int = 40, watching: Bool = false
    ) throws {
        var settings = SyntheticPublisher.Settings()
        settings.framesPerGroup = framesPerGroup
        let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        let observer = PlaylistObserver(channel, clock: clock)
        try publisher.begin()
        for _ in 0..<(seconds * 2) {
            publisher.run(seconds: 0.5)
            if watching { observer.loadAll() }
        }
        publisher.end()
    }

    /// Key-frame intervals in frames, at 25 frames per second, with the expected target durations.
    @Test(
        arguments: [
            (25, 2), (37, 3), (50, 2), (51, 3), (75, 3), (149, 6), (250, 10), (375, 15),
            // No target duration allows for these.
            (376, 6), (500, 6), (100_000, 6),
        ] as [(Int64, Int)])
    func isWhatThePublisherNeededLastTime(framesPerGroup: Int64, expected: Int) throws {
        let channel = TestMedia.channel(clock: clock, targetDuration: .automatic)
        #expect(channel.targetDuration == 6)
        try push(channel, framesPerGroup: framesPerGroup)
        #expect(channel.targetDuration == 6, "not while its playlists live")
        try push(channel, framesPerGroup: framesPerGroup, watching: true)
        #expect(channel.targetDuration == expected)
        let video = try #require(channel.window().rendition(named: "video"))
        #expect(video.listed.dropLast().allSatisfy(\.isIndependent) == (expected * 25 >= framesPerGroup))
    }

    @Test func isNeverLessThanASegment() throws {
        let packaging = LivePackagingConfiguration(segmentDuration: 7.5)
        let channel = TestMedia.channel(clock: clock, packaging: packaging, targetDuration: .automatic)
        #expect(channel.targetDuration == 8)
        try push(channel, framesPerGroup: 25)
        try push(channel, framesPerGroup: 25)
        #expect(channel.targetDuration == 8)
    }

    @Test func aNumberStays() throws {
        let channel = TestMedia.channel(clock: clock)
        try push(channel, framesPerGroup: 250)
        try push(channel, framesPerGroup: 250)
        #expect(channel.targetDuration == 6)
    }

    @Test func doesNotMoveForThoseWhoWatch() throws {
        let channel = TestMedia.channel(clock: clock, targetDuration: .automatic)
        let observer = PlaylistObserver(channel, clock: clock)
        var histories = PlaylistHistories()
        try push(channel, framesPerGroup: 250, watching: true)
        observer.loadAll()
        histories.load(channel)
        let window = Int64(6 * 6 * 1_000)
        clock.advance(by: .milliseconds(window - 2_000))
        try push(channel, framesPerGroup: 250, seconds: 30)
        #expect(channel.targetDuration == 6)
        observer.loadAll()
        histories.load(channel)
        #expect(histories.findings == [])
        clock.advance(by: .milliseconds(window + 1))
        let before = try #require(observer.load("video"))
        // That was a look, too.
        try push(channel, framesPerGroup: 250, seconds: 30)
        #expect(channel.targetDuration == 6)
        clock.advance(by: .milliseconds(window + 1))
        try push(channel, framesPerGroup: 250, seconds: 30)
        #expect(channel.targetDuration == 10)
        let after = try #require(PlaylistObserver(channel, clock: clock).load("video"))
        #expect(after.mediaSequence >= before.mediaSequence + before.segments.count)
        #expect(after.segments.first?.isDiscontinuous == true)
        #expect(after.discontinuitySequence == 2, "the pushes before")
    }

    /// One packet storm is not what the publisher needs.
    @Test func aHoleIsNotLearnedFrom() throws {
        let channel = TestMedia.channel(clock: clock, targetDuration: .automatic)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 11)
        publisher.muted = [.video]
        publisher.run(seconds: 8)
        publisher.muted = []
        publisher.run(seconds: 11)
        publisher.end()
        try push(channel, framesPerGroup: 50)
        #expect(channel.targetDuration == 2)
    }

    @Test func aShortPushTeachesNothing() throws {
        let channel = TestMedia.channel(clock: clock, targetDuration: .automatic)
        try push(channel, framesPerGroup: 100)
        try push(channel, framesPerGroup: 50, seconds: 1)
        try push(channel, framesPerGroup: 100, seconds: 1)
        #expect(channel.targetDuration == 4)
    }

    // MARK: Restart

    private func restarted(_ directory: TemporaryDirectory) throws -> (LiveChannel, FileChannelStateStore) {
        let store = try FileChannelStateStore(directory: directory.path, logger: TestMedia.silent)
        return (TestMedia.channel(clock: clock, store: store, targetDuration: .automatic), store)
    }

    @Test func aRestartShowsThoseWhoWatchTheSame() throws {
        let directory = try TemporaryDirectory()
        var histories = PlaylistHistories()
        let (first, firstStore) = try restarted(directory)
        try push(first, framesPerGroup: 250)
        histories.load(first)
        firstStore.flush()
        let (second, secondStore) = try restarted(directory)
        clock.advance(by: .milliseconds(3_000))
        try push(second, framesPerGroup: 250)
        histories.load(second)
        #expect(second.targetDuration == 6)
        #expect(histories.findings == [])
        secondStore.flush()
        let (third, _) = try restarted(directory)
        clock.advance(by: .milliseconds(Self.longAbsence))
        try push(third, framesPerGroup: 250)
        #expect(third.targetDuration == 10)
    }

    @Test func aFileWithoutItStillLoads() throws {
        let directory = try TemporaryDirectory()
        try directory.write(#"{"nextMediaSequence":5,"discontinuityCount":2}"#, to: "canalA.json")
        let (channel, store) = try restarted(directory)
        #expect(channel.targetDuration == 6)
        #expect(
            store.load(channel: "canalA")?.nextMediaSequence == 5 + FileChannelStateStore.skippedSegmentCount)
        try push(channel, framesPerGroup: 75)
        store.flush()
        let saved = try #require(store.load(channel: "canalA"))
        #expect(saved.targetDuration == 6 && saved.neededTargetDuration == 3)
    }

    // MARK: Key frames too far apart

    @Test(arguments: [(250, 10.0), (1_000, nil)] as [(Int64, Double?)])
    func saysWhatToSetWhileKeyFramesAreTooFarApart(framesPerGroup: Int64, distance: Double?) throws {
        let channel = TestMedia.channel(clock: clock)
        var settings = SyntheticPublisher.Settings()
        settings.framesPerGroup = framesPerGroup
        let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        try publisher.begin()
        publisher.run(seconds: 5)
        #expect(channel.status().gopTooLong == nil)
        publisher.run(seconds: 13)
        let found = try #require(channel.status().gopTooLong)
        #expect(found.keyFrameDistance == distance)
        #expect(
            found.advice
                == "set the encoder to a key frame every 2 s: a key-frame interval (keyint, ffmpeg's -g) of 50 frames"
        )
        for _ in 0..<40 {
            publisher.run(seconds: 0.5)
            #expect(channel.status().gopTooLong != nil, "at each moment, also behind a late key frame")
        }
        publisher.settings.framesPerGroup = 50
        publisher.run(seconds: 6)
        #expect(channel.status().gopTooLong == nil)
        publisher.settings.framesPerGroup = framesPerGroup
        publisher.run(seconds: 25)
        #expect(channel.status().gopTooLong != nil)
        publisher.end()
        #expect(channel.status().gopTooLong == nil)
    }
}
