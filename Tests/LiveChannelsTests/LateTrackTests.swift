import HLSPlaylist
import MediaCore
import NIOCore
import Packaging
import TestSupport
import Testing

@testable import LiveChannels

/// A declared track that comes late, or whose first key frame does, appears when it comes.
struct LateTrackTests {
    let clock = TestClock()

    private static func multivariant(_ channel: LiveChannel) throws -> MultivariantPlaylist {
        let text = try #require(channel.playlist(named: "playlist")).plain
        return try MultivariantPlaylist(parsing: String(buffer: text))
    }

    /// - Parameter seconds: the time for which the track is away.
    @Test(arguments: [MediaType.video, .audio], [2.5, 3.5, 12, 40])
    func appearsWithinSecondsOfItsFirstFrame(_ late: MediaType, seconds: Double) throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        try publisher.begin()
        publisher.muted = [late]
        while publisher.elapsedSeconds < seconds {
            publisher.run(seconds: 0.25)
            observer.loadAll()
        }
        let before = try Self.multivariant(channel)
        #expect(before.variants.count == 1)
        let name = late == .video ? "audio" : "video"
        #expect(before.variants.first?.uri == "\(name).m3u8")
        // The next key frame of the video is two seconds away at most.
        publisher.muted = []
        for _ in 0..<14 {
            publisher.run(seconds: 0.25)
            observer.loadAll()
        }
        let after = try Self.multivariant(channel)
        #expect(after.variants.map(\.uri) == ["video.m3u8", "audio.m3u8"] && after.renditions.count == 1)
        for _ in 0..<80 {
            publisher.run(seconds: 0.25)
            observer.loadAll()
        }
        let video = try #require(observer.load("video"))
        let audio = try #require(observer.load("audio"))
        #expect(video.mediaSequence == audio.mediaSequence)
        #expect(video.segments.suffix(8).allSatisfy { !$0.isGap } && audio.segments.suffix(8).allSatisfy { !$0.isGap })
        // A player that was watching has one playlist all the time, which the observer has checked.
        #expect(channel.status().tracks.count == 2)
    }

    @Test(arguments: [(MediaType.video, "no key frame"), (.audio, "no complete frame")])
    func theStatusSaysWhatHasNotCome(_ late: MediaType, _ what: String) throws {
        for hasPackets in [true, false] {
            let channel = TestMedia.channel(clock: clock)
            let publisher = SyntheticPublisher(channel, clock: clock)
            try publisher.begin()
            publisher.muted = [late]
            if hasPackets {
                publisher.epoch?.countReceived(byteCount: 9, packetCount: 1, trackID: late == .video ? 0 : 1)
            }
            publisher.run(seconds: 3)
            #expect(
                channel.status().errors.map(\.message) == [
                    "the declared \(late.rawValue) track has sent \(hasPackets ? what : "nothing") yet; the channel is "
                        + "shown without it until it comes"
                ])
            publisher.muted = []
            publisher.run(seconds: 3)
            #expect(channel.status().errors.count == 1)
        }
    }

    /// Viewers of video do not lose any of it because audio comes.
    @Test func theVideoGoesOnWhenAudioComes() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.muted = [.audio]
        publisher.run(seconds: 7.1)
        publisher.muted = []
        publisher.run(seconds: 9)
        let window = channel.window()
        let video = try #require(window.rendition(named: "video"))
        let frames = video.listed.flatMap(\.parts).reduce(0) { $0 + $1.sampleCount }
        #expect(video.listed.filter(\.isDiscontinuous).count == 1)
        #expect(frames == video.listed.count * 50, "no frame is missing")
        #expect(Set(video.listed.map(\.epoch)).count == 2)
    }

    /// Both tracks of a recording and of the time shift.
    @Test(arguments: [MediaType.video, .audio]) func theArchiveHasIt(_ late: MediaType) throws {
        let archive = try ArchiveFixture(ArchivePolicy(windowSeconds: 60, recordsAlways: true))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        let observer = PlaylistObserver(archive.channel, clock: archive.clock)
        try publisher.begin()
        publisher.muted = [late]
        archive.run(publisher, seconds: 3.5, observing: observer)
        publisher.muted = []
        archive.run(publisher, seconds: 120, observing: observer)
        let window = archive.channel.window()
        #expect(Set(window.renditions.map(\.firstMediaSequence)).count == 1)
        for rendition in window.renditions { #expect(rendition.archived.segments.allSatisfy { !$0.isGap }) }
        publisher.end()
        archive.writer.close()
        let name = try #require(archive.recordings().last)
        #expect(try PackagedTitle(path: archive.path(ofRecording: name)).renditions.count == 2)
    }

    /// Dates continue over the place where the track appears.
    @Test func datesAndNumbersContinue() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.epoch?.setWallClock(
            nanosecondsSince1970: (clock.time + .milliseconds(700)).millisecondsSince1970 * 1_000_000,
            mediaTime: MediaTime(value: 0, timescale: .milliseconds), trackID: 1)
        publisher.muted = [.video]
        publisher.run(seconds: 5)
        publisher.muted = []
        publisher.run(seconds: 12)
        let audio = try #require(channel.window().rendition(named: "audio"))
        let pairs = zip(audio.listed, audio.listed.dropFirst())
        for (first, second) in pairs {
            #expect(second.mediaSequence == first.mediaSequence + 1)
            let distance = second.programDateTime - first.programDateTime - Duration(first.duration)
            #expect(distance.magnitude < .milliseconds(60), "\(second.mediaSequence): \(distance)")
        }
        let end = try #require(audio.listed.last)
        let now = clock.time + .milliseconds(700)
        #expect((now - (end.programDateTime + end.duration)) < .milliseconds(2_500))
    }
}
