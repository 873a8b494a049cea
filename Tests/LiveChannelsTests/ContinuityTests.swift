import Codecs
import Foundation
import HLSPlaylist
import MediaCore
import NIOCore
import NIOEmbedded
import Packaging
import TestSupport
import Testing

@testable import LiveChannels

struct ContinuityTests {
    let clock = TestClock()

    private func run(_ publisher: SyntheticPublisher, _ observer: PlaylistObserver, seconds: Int) {
        for _ in 0..<(seconds * 2) {
            publisher.run(seconds: 0.5)
            observer.loadAll()
        }
    }

    @Test func aReconnectContinuesWithADiscontinuityInEveryRendition() throws {
        let channel = TestMedia.channel(clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        run(publisher, observer, seconds: 11)
        publisher.end()
        observer.loadAll()
        #expect(channel.status().state == .interrupted)
        clock.advance(by: .milliseconds(3_000))
        observer.loadAll()
        try publisher.begin()
        run(publisher, observer, seconds: 3)
        let video = try #require(observer.load("video"))
        let audio = try #require(observer.load("audio"))
        #expect(video.segments.count(where: \.isDiscontinuous) == 1)
        #expect(audio.segments.count(where: \.isDiscontinuous) == 1)
        let firstDiscontinuous = video.segments.firstIndex { $0.isDiscontinuous }
        let index = try #require(firstDiscontinuous)
        #expect(
            video.segments[index].programDateTime == (TestClock.start + .milliseconds(14_000)).millisecondsSince1970)
        #expect(video.segments[index].initializationSection != video.segments[0].initializationSection)
        run(publisher, observer, seconds: 40)
        #expect(try #require(observer.load("video")).discontinuitySequence == 1)
        #expect(try #require(observer.load("audio")).discontinuitySequence == 1)
    }

    /// Video and audio → video → audio → both, each long enough that the others leave the playlists.
    @Test func publishersWithOtherTracksKeepEveryPlaylistConsistent() throws {
        let channel = TestMedia.channel(clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        let both = SyntheticPublisher.Settings()
        var videoOnly = both
        videoOnly.audio = nil
        var audioOnly = both
        audioOnly.video = nil
        for seconds in [9, 60] {
            for settings in [both, videoOnly, audioOnly, both] {
                let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
                try publisher.begin()
                run(publisher, observer, seconds: seconds)
                publisher.end()
                clock.advance(by: .milliseconds(1_000))
                observer.loadAll()
            }
        }
        let multivariant = try #require(observer.loadAll())
        #expect(multivariant.variants.first?.uri == "video.m3u8" && multivariant.renditions.count == 1)
    }

    /// A publisher that brings a rendition more used to make the whole channel vanish until its first segment, and for
    /// good where it went away before that.
    @Test func aNewRenditionDoesNotHideTheChannel() throws {
        let channel = TestMedia.channel(clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        var settings = SyntheticPublisher.Settings()
        settings.audio = nil
        let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        try publisher.begin()
        run(publisher, observer, seconds: 9)
        publisher.end()
        publisher.settings.audio = TestMedia.audioStereo
        publisher.settings.firstPictureInGroup = 1
        try publisher.begin()
        publisher.run(seconds: 0.2)
        #expect(channel.status().state == .live)
        let multivariant = try #require(observer.loadAll(), "viewers of the video go on")
        #expect(multivariant.renditions.isEmpty, "nothing is behind the audio yet")
        #expect(channel.playlist(named: "audio") == nil)
        publisher.end()
        #expect(observer.loadAll() != nil)
        try publisher.begin()
        run(publisher, observer, seconds: 6)
        #expect(try #require(observer.loadAll()).renditions.count == 1)
    }

    @Test func repeatedParametersChangeNothingAndNewOnesAreADiscontinuity() throws {
        let channel = TestMedia.channel(clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        run(publisher, observer, seconds: 9)
        #expect(try #require(observer.load("video")).segments.count(where: \.isDiscontinuous) == 0)
        publisher.settings.video = TestMedia.video720
        run(publisher, observer, seconds: 5)
        for name in ["video", "audio"] {
            let playlist = try #require(observer.load(name))
            #expect(playlist.segments.count(where: \.isDiscontinuous) == 1, "\(name)")
        }
        let video = try #require(observer.load("video"))
        #expect(Set(video.segments.compactMap(\.initializationSection)).count == 2)
        #expect(try #require(observer.loadAll()).variants.first?.resolution == .init(width: 1_280, height: 720))
        #expect(channel.status().tracks.first?.width == 1_280)
        publisher.settings.audio = TestMedia.audioMono
        run(publisher, observer, seconds: 6)
        let audio = try #require(observer.load("audio"))
        #expect(Set(audio.segments.compactMap(\.initializationSection)).count == 2)
        #expect(audio.segments.count(where: \.isDiscontinuous) == 2)
    }

    @Test func parametersThatChangeJustBeforeTheEndCanStillBeFetched() throws {
        let channel = TestMedia.channel(clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        run(publisher, observer, seconds: 9)
        publisher.settings.audio = TestMedia.audioMono
        publisher.run(seconds: 0.9)
        publisher.muted = [.audio]
        publisher.run(seconds: 0.4)
        publisher.settings.video = TestMedia.video720
        publisher.end()
        observer.loadAll()
    }

    @Test(arguments: [30_000, -5_000, -300, 3_600_000] as [Int64])
    func aJumpOfThePublishersClockIsAbsorbed(milliseconds: Int64) throws {
        let channel = TestMedia.channel(clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        run(publisher, observer, seconds: 11)
        publisher.jump(milliseconds: milliseconds)
        run(publisher, observer, seconds: 20)
        let video = try #require(observer.load("video"))
        // A key frame that a step back has brought too close to the one before does not end a segment.
        #expect(video.segments.allSatisfy { $0.duration < 4 })
        if abs(milliseconds) > 1_000 {
            #expect(channel.status().errors.contains { $0.message.contains("clock jumped") })
        }
    }

    @Test func audioThatWasAwayComesBackInTime() throws {
        for seconds in [3, 8, 15, 40] {
            let channel = TestMedia.channel(clock: clock)
            let publisher = SyntheticPublisher(channel, clock: clock)
            try publisher.begin()
            publisher.run(seconds: 11)
            publisher.muted = [.audio]
            publisher.run(seconds: Double(seconds))
            publisher.muted = []
            publisher.run(seconds: 11)
            let window = channel.window()
            let newest = try #require(window.rendition(named: "audio")?.listed.last)
            let sameTime = window.rendition(named: "video")?.listed.last { $0.mediaSequence == newest.mediaSequence }
            let frame = try #require(sameTime)
            #expect(
                (newest.programDateTime - frame.programDateTime).magnitude < .milliseconds(100), "after \(seconds) s")
        }
    }

    /// A microphone that is pulled out: video goes on, and the audio's playlist keeps pace with silence.
    @Test func audioThatDiesIsSilentAndNoEnd() throws {
        let channel = TestMedia.channel(clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        var histories = PlaylistHistories()
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        run(publisher, observer, seconds: 20)
        publisher.muted = [.audio]
        for _ in 0..<120 {
            publisher.run(seconds: 0.5)
            observer.loadAll()
            histories.load(channel)
        }
        let video = try #require(observer.load("video"))
        let audio = try #require(observer.load("audio"))
        #expect(video.segments.allSatisfy { !$0.isGap && !$0.isDiscontinuous })
        #expect(audio.segments.allSatisfy { !$0.isGap })
        #expect(audio.mediaSequence + audio.segments.count >= video.mediaSequence + video.segments.count - 2)
        publisher.muted = []
        run(publisher, observer, seconds: 60)
        #expect(try #require(observer.load("audio")).segments.allSatisfy { !$0.isGap })
        #expect(histories.findings == [])
    }

    @Test func keyFramesThatNeverComeEndASegmentAtTheTargetDuration() throws {
        let channel = TestMedia.channel(clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        var settings = SyntheticPublisher.Settings()
        settings.framesPerGroup = 100_000
        let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        try publisher.begin()
        run(publisher, observer, seconds: 40)
        let video = try #require(observer.load("video"))
        #expect(video.segments.count >= 5)
        #expect(!video.hasIndependentSegments)
        #expect(try #require(observer.loadAll()).hasIndependentSegments == false)
        let errors = channel.status().errors.map(\.message)
        #expect(errors.map { $0.contains("key frames are more than 6 s apart") } == [true], "\(errors)")
    }

    // MARK: Restart

    @Test func aRestartGoesOnWithTheNumbers() throws {
        let directory = try TemporaryDirectory()
        let firstStore = try FileChannelStateStore(directory: directory.path, logger: TestMedia.silent)
        let first = TestMedia.channel(clock: clock, store: firstStore)
        let before = PlaylistObserver(first, clock: clock)
        let publisher = SyntheticPublisher(first, clock: clock)
        for _ in 0..<3 {
            try publisher.begin()
            run(publisher, before, seconds: 15)
            publisher.end()
        }
        firstStore.flush()
        let last = try #require(before.load("video"))
        let lastMedia = try #require(first.window().renditions.first?.listed.last?.parts.last)
        clock.advance(by: .milliseconds(10_000))

        let secondStore = try FileChannelStateStore(directory: directory.path, logger: TestMedia.silent)
        let second = TestMedia.channel(clock: clock, store: secondStore)
        let next = SyntheticPublisher(second, clock: clock)
        try next.begin()
        next.run(seconds: 5)
        let video = try #require(PlaylistObserver(second, clock: clock).load("video"))
        #expect(video.mediaSequence >= last.mediaSequence + last.segments.count)
        #expect(video.mediaSequence <= last.mediaSequence + last.segments.count + 10)
        #expect(video.segments.first?.isDiscontinuous == true)
        let lastDiscontinuity = (last.discontinuitySequence ?? 0) + last.segments.count(where: \.isDiscontinuous)
        #expect((video.discontinuitySequence ?? 0) + 1 > lastDiscontinuity)
        let oldURIs = Set(last.segments.map(\.uri))
        #expect(oldURIs.isDisjoint(with: video.segments.map(\.uri)))
        // ffmpeg and mpv would stand still for as long as times went back.
        let nextMedia = try #require(second.window().renditions.first?.listed.first?.parts.first)
        let step = nextMedia.decodeTime.seconds - (lastMedia.decodeTime + lastMedia.duration).seconds
        #expect((0...10.1).contains(step), "\(step) s")
    }

    /// The view of a player that continued to make requests while the server was away.
    @Test func aPlayerThatWatchesSeesOnePlaylistAcrossARestart() throws {
        let directory = try TemporaryDirectory()
        var histories = PlaylistHistories()
        for _ in 0..<3 {
            let store = try FileChannelStateStore(directory: directory.path, logger: TestMedia.silent)
            let channel = TestMedia.channel(clock: clock, store: store)
            let publisher = SyntheticPublisher(channel, clock: clock)
            try publisher.begin()
            for _ in 0..<25 {
                publisher.run(seconds: 0.5)
                histories.load(channel)
            }
            // Killed: nothing is ended, and what was handed over last may be lost.
            store.flush()
            clock.advance(by: .milliseconds(2_000))
        }
        #expect(histories.findings == [])
    }

    @Test func twoStartsInTheSameMillisecondHaveEpochsOfTheirOwn() throws {
        let channel = TestMedia.channel(clock: clock)
        var epochs: Set<String> = []
        for _ in 0..<5 {
            let publisher = SyntheticPublisher(channel, clock: TestClock())
            try publisher.begin()
            publisher.run(seconds: 0.1)
            publisher.end()
            epochs.formUnion(channel.window().renditions.flatMap { $0.listed.map(\.epoch) })
        }
        #expect(epochs.count == 5)
    }
}
