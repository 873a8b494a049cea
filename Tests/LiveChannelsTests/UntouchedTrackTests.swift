import Codecs
import HLSPlaylist
import MediaCore
import NIOCore
import NIOEmbedded
import Packaging
import Testing
import TestSupport

@testable import LiveChannels

/// Channels that get Opus: everybody finds AAC, and players that know Opus may choose it.
struct UntouchedTrackTests {
    let clock = TestClock()
    let eventLoop = EmbeddedEventLoop()
    let factory = FakeTranscoderFactory()

    private static func opusTrack() throws -> PublishedTrack {
        PublishedTrack(
            track: Track(id: 1, mediaType: .audio, timescale: Timescale(48_000)),
            configuration: .opus(try OpusConfiguration(channelCount: 2)))
    }

    private static let videoTrack = PublishedTrack(track: TestMedia.videoTrack, configuration: TestMedia.video360)

    private func begin(_ channel: LiveChannel, withVideo: Bool = true) throws -> PublishingEpoch {
        try channel.beginPublishing(
            TestMedia.publisher, tracks: (withVideo ? [Self.videoTrack] : []) + [try Self.opusTrack()], on: eventLoop,
            onKick: { _ in })
    }

    private static func unit(_ time: Int64, isKeyFrame: Bool = true, byteCount: Int) -> AccessUnit {
        AccessUnit(
            decodeTime: time, presentationTime: time, isRandomAccessPoint: isKeyFrame,
            payload: .frame(ByteBuffer(repeating: 0xFC, count: byteCount)))
    }

    /// 20 ms at a time: a frame of Opus, one from the transcoder, and one of video every 40 ms.
    private func push(
        _ epoch: PublishingEpoch, seconds: Int, withVideo: Bool = true, isConverted: Bool = true
    ) {
        let start = clock.time
        for step in 0..<(seconds * 50) {
            clock.set(start + .milliseconds(20 * step))
            epoch.append(Self.unit(Int64(step) * 960, byteCount: 160), trackID: 1)
            if withVideo, step % 2 == 0 {
                epoch.append(
                    Self.unit(Int64(step) * 1_800, isKeyFrame: step % 100 == 0, byteCount: 2_000), trackID: 0)
            }
            if isConverted {
                factory.transcoders.last?.onOutput(.unit(Self.unit(Int64(step) * 960, byteCount: 240)))
            }
            epoch.unitsArrived()
            eventLoop.run()
        }
    }

    private func convert() throws {
        try #require(factory.transcoders.last).onOutput(.configuration(TestMedia.audioStereo, Timescale(48_000)))
    }

    @Test func everybodyFindsAACAndMayChooseOpus() throws {
        let channel = TestMedia.channel(clock: clock, transcoders: factory)
        let epoch = try begin(channel)
        try convert()
        push(epoch, seconds: 11)
        let observer = PlaylistObserver(channel, clock: clock)
        let multivariant = try #require(observer.loadAll())
        #expect(
            multivariant.variants.map(\.codecs) == [
                ["avc1.64001e", "mp4a.40.2"], ["avc1.64001e", "opus"], ["mp4a.40.2"], ["opus"],
            ])
        #expect(multivariant.variants.map(\.uri) == ["video.m3u8", "video.m3u8", "audio.m3u8", "audio-opus.m3u8"])
        #expect(multivariant.variants.map(\.audioGroupID) == ["audio", "audio-opus", "audio", "audio-opus"])
        #expect(multivariant.renditions.map(\.groupID) == ["audio", "audio-opus"])
        #expect(multivariant.renditions.map(\.uri) == ["audio.m3u8", "audio-opus.m3u8"])
        for name in ["video", "audio", "audio-opus"] {
            let playlist = try #require(observer.load(name))
            #expect(playlist.segments.count == 5 && playlist.mediaSequence == 0, "\(name)")
            #expect(playlist.segments.allSatisfy { !$0.isGap && abs($0.duration - 2) < 0.05 })
            #expect(Set(playlist.renditionReports.map(\.uri)).count == 2)
        }
        // What cannot carry Opus has AAC.
        guard case .ready = channel.playlist(LivePlaylistRequest(name: "ts")) else {
            Issue.record("MPEG-TS is there")
            return
        }
        // The status and readers know the one track that was pushed.
        #expect(channel.status().tracks.map(\.codec) == ["H.264", "AAC"])
        #expect(channel.fanOut.broadcast?.tracks.count == 2)
        #expect(channel.status().errors.isEmpty)
    }

    @Test func radioHasBothToo() throws {
        let channel = TestMedia.channel(clock: clock, transcoders: factory)
        let epoch = try begin(channel, withVideo: false)
        try convert()
        push(epoch, seconds: 9, withVideo: false)
        let observer = PlaylistObserver(channel, clock: clock)
        let multivariant = try #require(observer.loadAll())
        #expect(multivariant.variants.map(\.uri) == ["audio.m3u8", "audio-opus.m3u8"])
        let numbers = try ["audio", "audio-opus"].map { try #require(observer.load($0)).segments.count }
        #expect(numbers == [4, 4])
    }

    @Test func withoutTheConversionOpusIsHeardAlone() throws {
        let channel = TestMedia.channel(clock: clock, transcoders: factory)
        let epoch = try begin(channel)
        try #require(factory.transcoders.last).onOutput(.failed("no encoder"))
        push(epoch, seconds: 9, isConverted: false)
        let observer = PlaylistObserver(channel, clock: clock)
        let multivariant = try #require(observer.loadAll())
        #expect(multivariant.variants.map(\.codecs) == [["avc1.64001e", "opus"], ["opus"]])
        #expect(channel.status().errors.count == 1)
    }

    @Test func thePlaylistOfOpusGoesOnWhenThePublisherComesBackWithAAC() throws {
        let channel = TestMedia.channel(clock: clock, transcoders: factory)
        let epoch = try begin(channel)
        try convert()
        push(epoch, seconds: 11)
        let observer = PlaylistObserver(channel, clock: clock)
        _ = try #require(observer.loadAll())
        epoch.end(reason: "done")
        let next = SyntheticPublisher(channel, clock: clock, eventLoop: eventLoop)
        try next.begin()
        next.run(seconds: 7)
        // A player that has chosen Opus hears silence.
        let opus = try #require(observer.load("audio-opus"))
        let audio = try #require(observer.load("audio"))
        #expect(opus.segments.last?.isGap == false && opus.mediaSequence == audio.mediaSequence)
        #expect(opus.segments.count == audio.segments.count)
        for _ in 0..<16 {
            next.run(seconds: 10)
            _ = observer.load("audio")
        }
        let multivariant = try #require(observer.loadAll())
        #expect(multivariant.renditions.map(\.uri) == ["audio.m3u8"], "what nobody asks for is over")
    }
}
