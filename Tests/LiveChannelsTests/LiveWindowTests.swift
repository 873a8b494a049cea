import Foundation
import HLSPlaylist
import MediaCore
import NIOCore
import NIOEmbedded
import Packaging
import Testing
import TestSupport

@testable import LiveChannels

struct LiveWindowTests {
    let clock = TestClock()

    @Test func theWindowSlidesAndKeepsThreeTargetDurations() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        try publisher.begin()
        for _ in 0..<120 {
            publisher.run(seconds: 0.5)
            observer.loadAll()
        }
        let video = try #require(observer.load("video"))
        // Two-second segments: three target durations of 6 s are nine of them, and one more before the first may go.
        #expect(video.segments.count == 9)
        #expect(video.mediaSequence == 20)
        #expect(observer.loadCount > 200)
    }

    @Test func memoryIsBounded() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 60)
        let after1Minute = channel.heldByteCount()
        publisher.run(seconds: 600)
        let after11Minutes = channel.heldByteCount()
        #expect(after1Minute > 0)
        #expect(Double(after11Minutes) < Double(after1Minute) * 1.1)
    }

    @Test func aSegmentStaysForItsOwnAndThePlaylistsDurationAndGoesThen() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 2.5)
        let first = try #require(observer.load("video")?.segments.first)
        publisher.run(seconds: 18)
        #expect(try #require(observer.load("video")).mediaSequence == 1, "it has left")
        publisher.run(seconds: 19)
        #expect(observer.fetch(first.uri) != nil, "2 s + 18 s have not passed")
        // And 2 s more, because the media clock runs ahead when a push takes over.
        publisher.run(seconds: 6)
        #expect(observer.fetch(first.uri) == nil)
        #expect(first.initializationSection.flatMap(observer.fetch) != nil, "others still need it")
    }

    @Test func whatNobodyWasToldOfIsNotRetained() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 60)
        let rendition = try #require(channel.window().rendition(named: "video"))
        #expect(rendition.retained.isEmpty)
        #expect(rendition.listed.count >= 9)
        // One playlist is enough: all that it lists is kept.
        let observer = PlaylistObserver(channel, clock: clock)
        let told = try #require(observer.load("video")).segments
        publisher.run(seconds: 20)
        let after = try #require(channel.window().rendition(named: "video"))
        #expect(!after.retained.isEmpty)
        #expect(told.allSatisfy { observer.fetch($0.uri) != nil })
        publisher.run(seconds: 60)
        #expect(try #require(channel.window().rendition(named: "video")).retained.isEmpty)
    }

    /// Long segments that leave quickly because short ones follow used to push one another out too early.
    @Test func longSegmentsAreRetainedInFullWhenShortOnesFollow() throws {
        let channel = TestMedia.channel(clock: clock)
        var settings = SyntheticPublisher.Settings()
        settings.framesPerGroup = 150
        let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        let observer = PlaylistObserver(channel, clock: clock)
        try publisher.begin()
        for _ in 0..<100 {
            publisher.run(seconds: 0.6)
            observer.loadAll()
        }
        publisher.settings.framesPerGroup = 50
        for _ in 0..<200 {
            publisher.run(seconds: 0.4)
            observer.loadAll()
        }
        #expect(try #require(observer.load("video")).segments.count == 9)
    }

    /// Each frame a key frame with other parameters, each a clock tick long: a segment each.
    @Test func segmentsOfNoLengthDoNotFillTheMemory() throws {
        let channel = TestMedia.channel(clock: clock)
        let epoch = try channel.beginPublishing(
            TestMedia.publisher,
            tracks: [PublishedTrack(track: TestMedia.videoTrack, configuration: TestMedia.video360)],
            on: EmbeddedEventLoop(), onKick: { _ in })
        for index in 0..<3_000 {
            clock.advance(by: .milliseconds(1))
            epoch.updateConfiguration(index % 2 == 0 ? TestMedia.video720 : TestMedia.video360, trackID: 0)
            epoch.append(
                AccessUnit(
                    decodeTime: Int64(index), presentationTime: Int64(index), isRandomAccessPoint: true,
                    payload: .frame(ByteBuffer(string: "x"))), trackID: 0)
        }
        let rendition = try #require(channel.window().renditions.first)
        #expect(rendition.listed.count <= RenditionWindow.maximumListedCount)
        #expect(rendition.retained.count <= RenditionWindow.maximumListedCount)
    }

    @Test func bandwidthsCoverWhatIsMeasured() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 30)
        let variant = try #require(observer.loadAll()?.variants.first)
        let measured = try ["video", "audio"].map { name -> SegmentBitRate in
            let playlist = try #require(observer.load(name))
            return SegmentBitRate(
                segments: playlist.segments.map { (observer.fetch($0.uri)?.readableBytes ?? 0, $0.duration) },
                targetDuration: Double(playlist.targetDuration))
        }
        let peak = measured.reduce(0) { $0 + $1.peak }
        let average = measured.reduce(0) { $0 + $1.average }
        // HLS Authoring Specification 1.28, 1.29; and not so much that a player with enough bandwidth would refuse it.
        #expect(peak <= variant.bandwidth && Double(variant.bandwidth) < Double(peak) * 1.25)
        let declaredAverage = try #require(variant.averageBandwidth)
        #expect(average <= declaredAverage && Double(declaredAverage) < Double(average) * 1.25)
        #expect(declaredAverage <= variant.bandwidth)
    }

    @Test func aPlaylistIsRenderedOnceARevision() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 5)
        for name in ["playlist", "video", "audio"] as [Substring] {
            let first = try #require(channel.playlist(named: name))
            publisher.run(seconds: 0.08)
            #expect(channel.playlist(named: name) === first)
        }
        let before = try #require(channel.playlist(named: "video"))
        publisher.run(seconds: 0.5)
        #expect(channel.playlist(named: "video") !== before)
        #expect(channel.playlist(named: "subtitles") == nil)
        #expect(channel.playlist(named: "") == nil)
    }

    @Test func segmentsAreFoundByTheirOwnEpochOnly() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 5)
        let epoch = try #require(channel.window().renditions.first?.listed.first?.epoch)
        #expect(channel.segment(rendition: "video", mediaSequence: 0, epoch: epoch[...]) != nil)
        #expect(channel.segment(rendition: "video", mediaSequence: 0, epoch: "other") == nil)
        #expect(channel.segment(rendition: "other", mediaSequence: 0, epoch: epoch[...]) == nil)
        for number in [-1, 2, 1_000, .max, .min] {
            #expect(channel.segment(rendition: "video", mediaSequence: number, epoch: epoch[...]) == nil)
            #expect(channel.initializationSection(rendition: "video", number: number, epoch: epoch[...]) == nil)
        }
    }

    @Test func staleMediaIsDroppedAfterTheRetention() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 10)
        publisher.end()
        let last = try #require(channel.window().renditions.first?.listed.last).mediaSequence
        clock.advance(by: LiveChannel.retention - .milliseconds(1))
        #expect(channel.playlist(named: "playlist") != nil)
        #expect(channel.status().state == .interrupted)
        let interruptedSince = try #require(channel.status().since)
        clock.advance(by: .milliseconds(1))
        #expect(channel.playlist(named: "playlist") == nil)
        #expect(channel.heldByteCount() == 0)
        let status = channel.status()
        #expect(status.state == .idle)
        #expect(try #require(status.since).timeIntervalSince(interruptedSince) == 300)
        let next = SyntheticPublisher(channel, clock: clock)
        try next.begin()
        next.run(seconds: 3)
        let video = try #require(PlaylistObserver(channel, clock: clock).load("video"))
        #expect(video.mediaSequence == last + 1)
        #expect(video.segments.first?.isDiscontinuous == true)
    }
}
