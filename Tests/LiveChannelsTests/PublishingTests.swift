import Foundation
import HLSPlaylist
import MediaCore
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import LiveChannels

struct PublishingTests {
    let clock = TestClock()

    @Test func aPushBecomesPlayable() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 0.4)
        #expect(channel.playlist(named: "playlist") == nil, "no part is there yet")
        publisher.run(seconds: 1.1)
        #expect(channel.playlist(named: "playlist") != nil)
        #expect(channel.playlist(named: "video") == nil, "no segment is there yet")
        publisher.run(seconds: 1)
        let observer = PlaylistObserver(channel, clock: clock)
        let multivariant = try #require(observer.loadAll())
        let variant = try #require(multivariant.variants.first)
        #expect(variant.resolution == .init(width: 640, height: 360))
        #expect(variant.codecs == ["avc1.64001e", "mp4a.40.2"])
        #expect(abs((variant.frameRate ?? 0) - 25) < 0.01)
        #expect(variant.audioGroupID == multivariant.renditions.first?.groupID)
        #expect(multivariant.renditions.first?.channels == 2)
        #expect(multivariant.renditions.first?.language != nil, "HLS Authoring Specification 8.10")
        let video = try #require(observer.load("video"))
        #expect(video.mediaSequence == 0 && video.discontinuitySequence == 0)
        #expect(video.segments.count == 1 && !video.segments[0].isDiscontinuous)
        #expect(abs(video.segments[0].duration - 2) < 0.001)
        #expect(video.segments[0].programDateTime == TestClock.start.millisecondsSince1970)
    }

    @Test func aBusyChannelSaysSinceWhenAndByWhom() throws {
        let channel = TestMedia.channel(clock: clock)
        let first = SyntheticPublisher(channel, clock: clock)
        try first.begin()
        clock.advance(by: .milliseconds(4_000))
        let expected = PublishingError.channelBusy(
            since: Date(TestClock.start), publisher: "192.0.2.1:40000")
        #expect(throws: expected) { try SyntheticPublisher(channel, clock: clock).begin() }
        #expect(expected.description == "the channel is taken by 192.0.2.1:40000")
        first.end()
        try SyntheticPublisher(channel, clock: clock).begin()
    }

    @Test func anUnknownPresetNamesTheAllowedOnes() throws {
        let channel = TestMedia.channel(clock: clock)
        var publisher = TestMedia.publisher
        publisher.presetName = "ultra"
        let expected = PublishingError.unknownPreset("ultra", allowed: ["low", "medium"])
        #expect(throws: expected) { try SyntheticPublisher(channel, clock: clock).begin(publisher) }
        #expect(channel.status().publisher == nil, "a refused publisher does not take the channel")
        publisher.presetName = "low"
        try SyntheticPublisher(channel, clock: clock).begin(publisher)
        #expect(channel.status().preset == "low")
    }

    @Test func aClosedDirectoryKicksAndTakesNoMore() throws {
        let directory = LiveChannelDirectory(
            configurations: [TestMedia.channelConfiguration()], clock: clock.wallClock, logger: TestMedia.silent)
        let channel = try #require(directory.channel(named: "canalA"))
        #expect(directory.channel(named: "canalZ") == nil)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        directory.close()
        #expect(publisher.kicks.reasons == ["the server is shutting down"])
        publisher.end()
        #expect(throws: PublishingError.closed) { try SyntheticPublisher(channel, clock: clock).begin() }
    }

    @Test func kickingReachesThePublisherOnly() throws {
        let channel = TestMedia.channel(clock: clock)
        #expect(!channel.kick(reason: "nobody is there"))
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        #expect(channel.kick(reason: "an operator ended the push"))
        #expect(publisher.kicks.reasons == ["an operator ended the push"])
        publisher.end(reason: "kicked")
        #expect(!channel.kick(reason: "again"))
    }

    @Test func endingTwiceChangesNothingAndAnOldEpochCannotDisturbANewOne() throws {
        let channel = TestMedia.channel(clock: clock)
        let first = SyntheticPublisher(channel, clock: clock)
        try first.begin()
        first.run(seconds: 5)
        let old = try #require(first.epoch)
        old.end(reason: "gone")
        let second = SyntheticPublisher(channel, clock: clock)
        try second.begin()
        second.run(seconds: 1)
        old.end(reason: "again")
        first.run(seconds: 3)
        #expect(channel.status().state == .live)
        #expect(channel.status().publisher != nil)
    }

    // MARK: Gathering

    @Test func lateAudioIsWaitedFor() throws {
        let channel = TestMedia.channel(clock: clock)
        var settings = SyntheticPublisher.Settings()
        settings.audioDelayMilliseconds = 1_500
        let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        let observer = PlaylistObserver(channel, clock: clock)
        try publisher.begin()
        for _ in 0..<20 {
            publisher.run(seconds: 0.5)
            observer.loadAll()
        }
        let multivariant = try #require(observer.loadAll())
        #expect(multivariant.renditions.count == 1)
        #expect(channel.status().errors.isEmpty)
    }

    @Test func aDeclaredTrackThatNeverSendsIsNotWaitedFor() throws {
        let channel = TestMedia.channel(clock: clock)
        var settings = SyntheticPublisher.Settings()
        settings.silentTracks = [.audio]
        let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        try publisher.begin()
        publisher.run(seconds: 1.9)
        #expect(channel.status().state == .idle, "still waiting for the audio")
        publisher.run(seconds: 3)
        let multivariant = try #require(PlaylistObserver(channel, clock: clock).loadAll())
        #expect(multivariant.renditions.isEmpty)
        #expect(multivariant.variants.first?.codecs == ["avc1.64001e"])
        #expect(
            channel.status().errors.map(\.message) == [
                "the declared audio track has sent nothing yet; the channel is shown without it until it comes"
            ])
    }

    @Test func parameterSetsInBandAreEnough() throws {
        let channel = TestMedia.channel(clock: clock)
        var settings = SyntheticPublisher.Settings()
        settings.announcesParameters = false
        let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        try publisher.begin()
        #expect(channel.status().tracks.first?.codec == nil)
        publisher.run(seconds: 5)
        #expect(channel.status().tracks.first?.codec == "H.264")
        #expect(PlaylistObserver(channel, clock: clock).loadAll()?.variants.first?.codecs.count == 2)
    }

    @Test func unitsWithoutParametersAreKeptWithinBounds() throws {
        let channel = TestMedia.channel(clock: clock)
        let epoch = try channel.beginPublishing(
            TestMedia.publisher, tracks: [PublishedTrack(track: TestMedia.videoTrack, configuration: nil)],
            on: EmbeddedEventLoop(), onKick: { _ in })
        let picture = ByteBuffer(repeating: 0x41, count: 8 << 20)
        for index in 0..<100 {
            clock.advance(by: .milliseconds(40))
            epoch.append(
                AccessUnit(
                    decodeTime: Int64(index) * 3_600, presentationTime: Int64(index) * 3_600,
                    isRandomAccessPoint: true, payload: .nalUnits([FragmentedNALUnit(picture)])), trackID: 0)
        }
        #expect(epoch.gatheredByteCount <= PublishingEpoch.maximumGatheredByteCount)
        #expect(epoch.gatheredByteCount > 0)
        epoch.updateConfiguration(TestMedia.video360, trackID: 0)
        epoch.end(reason: "done")
        #expect(epoch.gatheredByteCount == 0)
        #expect(channel.window().isPlayable)
    }

    /// Dates used to be those of the end of the gathering, up to 2 s late.
    @Test func programDatesAreThoseOfArrival() throws {
        let channel = TestMedia.channel(clock: clock)
        var settings = SyntheticPublisher.Settings()
        settings.silentTracks = [.audio]
        let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        try publisher.begin()
        publisher.run(seconds: 5)
        let video = try #require(PlaylistObserver(channel, clock: clock).load("video"))
        #expect(video.segments.first?.programDateTime == TestClock.start.millisecondsSince1970)
    }

    @Test func aSecondTrackOfATypeAndUnknownTracksAreIgnored() throws {
        let channel = TestMedia.channel(clock: clock)
        let second = Track(id: 7, mediaType: .video, timescale: .video90kHz)
        let epoch = try channel.beginPublishing(
            TestMedia.publisher,
            tracks: [
                PublishedTrack(track: TestMedia.videoTrack, configuration: TestMedia.video360),
                PublishedTrack(track: second, configuration: TestMedia.video720),
            ], on: EmbeddedEventLoop(), onKick: { _ in })
        let payload = SamplePayload.frame(ByteBuffer(string: "x"))
        for trackID in [7, 99] as [UInt32] {
            for index in 0..<300 {
                clock.advance(by: .milliseconds(40))
                let time = Int64(index) * 3_600
                epoch.append(
                    AccessUnit(
                        decodeTime: time, presentationTime: time, isRandomAccessPoint: true, payload: payload),
                    trackID: trackID)
            }
        }
        #expect(!channel.window().isPlayable)
        #expect(channel.status().errors.map(\.message) == ["a second video track is not shown"])
    }

    @Test func aPushThatEndsBeforeItBeganLeavesNothing() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.end(reason: "changed its mind", isIntended: true)
        #expect(channel.status().state == .idle)
        #expect(channel.playlist(named: "playlist") == nil)
        #expect(channel.heldByteCount() == 0)
    }

    @Test func extremeTimesDoNotTrap() throws {
        let channel = TestMedia.channel(clock: clock)
        let epoch = try channel.beginPublishing(
            TestMedia.publisher,
            tracks: [PublishedTrack(track: TestMedia.videoTrack, configuration: TestMedia.video360)],
            on: EmbeddedEventLoop(), onKick: { _ in })
        for time in [0, .max, .min, -1, .max - 1, 90_000, .min + 1, 0] as [Int64] {
            for presentation in [time, .max, .min, 0] {
                clock.advance(by: .milliseconds(40))
                epoch.append(
                    AccessUnit(
                        decodeTime: time, presentationTime: presentation, isRandomAccessPoint: true,
                        payload: .frame(ByteBuffer(string: "x"))), trackID: 0)
            }
        }
        epoch.end(reason: "done")
        PlaylistObserver(channel, clock: clock).loadAll()
        #expect(channel.status().errors.count <= 20)
    }
}
