import Codecs
import Foundation
import HLSPlaylist
import MediaCore
import NIOCore
import Packaging
import Testing
import TestSupport

@testable import LiveChannels

/// Publishers that come back with other tracks: current viewers are not stopped, and new ones find the current tracks.
struct ChangingPublisherTests {
    let clock = TestClock()

    enum Kind: String, CaseIterable, Sendable {
        case both, video, audio, otherSize, otherCodec, mono, opus

        var settings: SyntheticPublisher.Settings {
            var settings = SyntheticPublisher.Settings()
            switch self {
            case .both: break
            case .video: settings.audio = nil
            case .audio: settings.video = nil
            case .otherSize: settings.video = TestMedia.video720
            case .otherCodec: settings.video = TestMedia.videoHEVC
            case .mono: settings.audio = TestMedia.audioMono
            case .opus: settings.audio = (try? OpusConfiguration(channelCount: 2)).map(CodecConfiguration.opus)
            }
            return settings
        }

        /// The codec of each track, without its parameters.
        var codecs: [MediaType: String] {
            let tracks = [settings.video, settings.audio].compactMap(\.self)
            return Dictionary(uniqueKeysWithValues: tracks.map { ($0.mediaType, $0.name) })
        }

        var names: Set<String> {
            Set([settings.video == nil ? nil : "video", settings.audio == nil ? nil : "audio"].compactMap(\.self))
        }
    }

    static let allChanges = Kind.allCases.flatMap { first in Kind.allCases.map { [first, $0] } }
    /// Changes that players can play through, because every track keeps its codec.
    static let changes = allChanges.filter { !changesCodec($0[0], $0[1]) }
    static let codecChanges = allChanges.filter { changesCodec($0[0], $0[1]) }

    private static func changesCodec(_ first: Kind, _ second: Kind) -> Bool {
        second.codecs.contains { mediaType, codec in first.codecs[mediaType].map { $0 != codec } ?? false }
    }

    private func names(_ playlist: MultivariantPlaylist) -> Set<String> {
        let uris = playlist.variants.map(\.uri) + playlist.renditions.compactMap(\.uri)
        return Set(uris.map { String($0.prefix { $0 != "." }) })
    }

    private func expectNoGaps(_ observer: PlaylistObserver, _ names: Set<String>, _ what: String) throws {
        for name in names {
            let playlist = try #require(observer.load(name), "\(name), \(what)")
            #expect(playlist.segments.allSatisfy { !$0.isGap }, "\(name), \(what)")
        }
    }

    @Test(arguments: changes)
    func whoWatchesGoesOnAndWhoComesFindsWhatThereIs(_ change: [Kind]) throws {
        let (first, second) = (change[0], change[1])
        let channel = TestMedia.channel(clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        var histories = PlaylistHistories()
        let publisher = SyntheticPublisher(channel, clock: clock, settings: first.settings)
        try publisher.begin()
        func run(_ seconds: Int) {
            for _ in 0..<seconds {
                publisher.run(seconds: 1)
                observer.loadAll()
                histories.load(channel)
            }
        }
        run(15)
        publisher.end()
        let ends = try mediaEnds(channel)
        clock.advance(by: .milliseconds(1_500))
        publisher.settings = second.settings
        try publisher.begin()
        run(7)
        let during = try #require(observer.loadAll())
        #expect(names(during) == first.names.union(second.names), "something of both is listed")
        try expectNoGaps(observer, names(during), "with both in the window")
        // Players that take no notice of discontinuities have times that go on.
        for rendition in channel.window().renditions {
            let new = rendition.listed.first { $0.isDiscontinuous }
            let start = try #require(new?.parts.first?.decodeTime)
            #expect(start >= ends, "\(rendition.name)")
            #expect((start - ends).seconds < 0.2, "\(rendition.name)")
        }
        run(30)
        #expect(names(try #require(observer.loadAll())) == second.names, "nothing of the first is left")
        try expectNoGaps(observer, first.names.union(second.names), "for those who still ask")
        #expect(histories.findings == [])
        // Nobody asks for it any more.
        publisher.run(seconds: 100)
        #expect(Set(channel.window().renditions.map(\.name)) == second.names)
    }

    /// The latest media end of all renditions.
    private func mediaEnds(_ channel: LiveChannel) throws -> MediaTime {
        let parts = channel.window().renditions.compactMap { $0.listed.last?.parts.last }
        return try #require(parts.map { $0.decodeTime + $0.duration }.max())
    }

    /// A player that joins begins some segments back in every rendition, and fetches what is listed there.
    @Test(arguments: [
        [Kind.video, .both], [.video, .audio], [.audio, .both], [.audio, .video], [.audio, .otherSize],
    ])
    func whatAppearsReachesBackAsFarAsTheRest(_ change: [Kind]) throws {
        let channel = TestMedia.channel(clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock, settings: change[0].settings)
        try publisher.begin()
        publisher.run(seconds: 15)
        publisher.end()
        publisher.settings = change[1].settings
        try publisher.begin()
        var joined = 0
        for _ in 0..<100 {
            publisher.run(seconds: 0.2)
            let multivariant = try #require(observer.loadAll())
            let listed = names(multivariant)
            guard listed.count == 2 else { continue }
            joined += 1
            let renditions = channel.window().renditions
            #expect(Set(renditions.map(\.firstMediaSequence)).count == 1)
            #expect(Set(renditions.map(\.discontinuitySequence)).count == 1)
            for name in listed {
                let playlist = try #require(observer.load(name))
                #expect(playlist.segments.allSatisfy { !$0.isGap && observer.fetch($0.uri) != nil })
            }
            let (video, audio) = (renditions[0].listed, renditions[1].listed)
            for (image, sound) in zip(video, audio) {
                let start = try #require(image.parts.first?.decodeTime.seconds)
                #expect(abs(start - (sound.parts.first?.decodeTime.seconds ?? 0)) < 0.07, "\(image.mediaSequence)")
                #expect(abs(image.duration.seconds - sound.duration.seconds) < 0.07, "\(image.mediaSequence)")
            }
            for segments in [video, audio] {
                for (segment, next) in zip(segments, segments.dropFirst()) {
                    let end = segment.parts.last.map { $0.decodeTime + $0.duration }?.seconds ?? .infinity
                    #expect((next.parts.first?.decodeTime.seconds ?? 0) > end - 0.001, "times go on")
                }
            }
        }
        #expect(joined >= 20)
    }

    /// ffmpeg, mpv, GStreamer and Chromium stand still at another codec for as long as the playlist goes on.
    @Test(arguments: codecChanges)
    func anotherCodecEndsThePlaylistsAndBeginsOthers(_ change: [Kind]) throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock, settings: change[0].settings)
        let observer = PlaylistObserver(channel, clock: clock)
        try publisher.begin()
        for _ in 0..<15 {
            publisher.run(seconds: 1)
            observer.loadAll()
        }
        publisher.end()
        let name = try #require(change[0].names.sorted().last)
        let last = try #require(channel.window().renditions.first?.listed.last?.mediaSequence)
        let waiting = AwaitedMedia.position(ReloadPosition(mediaSequence: last + 1, part: 0), rendition: name)
        var answer: Bool?
        channel.wait(for: waiting, identifier: 1, on: publisher.eventLoop).assumeIsolated()
            .whenSuccess { answer = $0 }
        publisher.settings = change[1].settings
        try publisher.begin()
        publisher.run(seconds: 3)
        #expect(answer == true, "viewers who wait are told")
        if change[1] == .opus {
            guard case .ready(let stream) = channel.playlist(LivePlaylistRequest(name: "ts")) else {
                Issue.record("MPEG-TS, which cannot carry Opus, has no end")
                return
            }
            #expect(String(buffer: stream.plain).contains("EXT-X-ENDLIST"))
        }
        for _ in 0..<20 {
            let multivariant = try #require(observer.loadAll())
            #expect(names(multivariant) == change[1].names, "nothing of the other codec is offered")
            let uris = multivariant.variants.map(\.uri) + multivariant.renditions.compactMap(\.uri)
            #expect(uris.allSatisfy { $0.hasSuffix(".m3u8?codecs=1") }, "\(uris)")
            for name in change[0].names {
                guard case .ready(let ended) = channel.playlist(LivePlaylistRequest(name: name)) else {
                    Issue.record("\(name) has no end")
                    continue
                }
                let playlist = try MediaPlaylist(parsing: String(buffer: ended.plain))
                #expect(playlist.hasEndList && !playlist.segments.isEmpty)
                #expect(playlist.segments.allSatisfy { observer.fetch($0.uri) != nil })
            }
            for name in change[1].names {
                let playlist = try #require(observer.load(name))
                #expect(!playlist.hasEndList && playlist.mediaSequence == last + 1)
                #expect(playlist.segments.first?.isDiscontinuous == true)
                #expect(playlist.segments.allSatisfy { !$0.isGap })
            }
            publisher.run(seconds: 0.3)
        }
        // Times and numbers go on nevertheless.
        publisher.run(seconds: 60)
        let later = try #require(observer.loadAll())
        #expect(names(later) == change[1].names)
        let bare = LivePlaylistRequest(name: change[1].names.sorted()[0])
        guard case .ready(let playlist) = channel.playlist(bare) else {
            Issue.record("a URI without codecs is the present one's, in the end")
            return
        }
        #expect(!String(buffer: playlist.plain).contains("ENDLIST"))
    }

    /// A player that loads nothing but the rendition that has gone still has one when the publisher brings it back.
    @Test func aRenditionComesBackAfterItWasFilled() throws {
        let channel = TestMedia.channel(clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        for settings in [Kind.both, .video, .audio, .both, .audio, .video, .both].map(\.settings) {
            publisher.settings = settings
            try publisher.begin()
            for _ in 0..<40 {
                publisher.run(seconds: 0.5)
                observer.loadAll()
            }
            publisher.end()
        }
        for name in ["video", "audio"] {
            let playlist = try #require(observer.load(name))
            #expect(playlist.segments.allSatisfy { !$0.isGap })
        }
    }

    /// Blocking reloads and parts of a rendition that is filled come as those of the others do.
    @Test(arguments: [Kind.video, .audio])
    func aFilledRenditionHasPartsForLowLatency(_ kind: Kind) throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 15)
        publisher.end()
        publisher.settings = kind.settings
        try publisher.begin()
        publisher.run(seconds: 6.7)
        let window = channel.window()
        let edges = window.renditions.compactMap(\.edge)
        #expect(edges.count == 2)
        let parts = edges.map { Double($0.mediaSequence) * 2 + Double($0.part ?? 0) * 0.5 }
        #expect(abs((parts.first ?? 0) - (parts.last ?? 0)) <= 0.5, "\(edges)")
        let histories = window.renditions.map { window.mediaPlaylist(of: $0).renditionReports.count }
        #expect(histories == [1, 1], "both are offered")
    }

    /// Viewers who look back, too, for as long as the window reaches; a recording has the publisher's own tracks.
    @Test func timeShiftIsFilledAndGoesOn() throws {
        let archive = try ArchiveFixture(ArchivePolicy(windowSeconds: 60))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        let observer = PlaylistObserver(archive.channel, clock: archive.clock)
        try publisher.begin()
        archive.run(publisher, seconds: 40, observing: observer)
        publisher.end()
        publisher.settings.audio = nil
        try publisher.begin()
        archive.run(publisher, seconds: 40, observing: observer)
        let during = try #require(observer.loadAll())
        #expect(during.renditions.count == 1)
        #expect(try #require(observer.load("audio")).segments.allSatisfy { !$0.isGap })
        archive.run(publisher, seconds: 100, observing: observer)
        #expect(try #require(observer.loadAll()).renditions.isEmpty)
        archive.run(publisher, seconds: 240)
        let video = try #require(observer.load("video"))
        #expect(video.segments.allSatisfy { !$0.isGap }, "the archive goes on when nothing is filled any longer")
        #expect(observer.load("audio") == nil)
    }

    /// A player that joins finds what has appeared beside the newest segments of the rest, and gaps beside older ones,
    /// so that the playlists begin together; what was made for that leaves the playlist in time, and what the publisher
    /// has sent stays.
    @Test(arguments: [[Kind.video, .both], [.audio, .both]])
    func whatAppearsReachesBackWithTimeShiftToo(_ change: [Kind]) throws {
        let archive = try ArchiveFixture(ArchivePolicy(windowSeconds: 60))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock, settings: change[0].settings)
        let observer = PlaylistObserver(archive.channel, clock: archive.clock)
        var histories = PlaylistHistories()
        try publisher.begin()
        archive.run(publisher, seconds: 40, observing: observer)
        publisher.end()
        publisher.settings = change[1].settings
        try publisher.begin()
        for _ in 0..<20 where names(try #require(observer.loadAll())).count < 2 {
            archive.run(publisher, seconds: 0.5, observing: observer)
        }
        #expect(Set(archive.channel.window().renditions.map(\.firstMediaSequenceInMemory)).count == 1)
        let new = change[0] == .video ? "audio" : "video"
        for second in 0..<90 {
            let playlist = try #require(observer.load(new))
            #expect(playlist.segments.count >= min(max(4, second / 2 - 2), 28))
            let media = playlist.segments.drop(while: \.isGap)
            #expect(media.allSatisfy { !$0.isGap && observer.fetch($0.uri) != nil }, "\(second)")
            #expect(media.count >= 4, "\(second)")
            #expect(Set(archive.channel.window().renditions.map(\.firstMediaSequence)).count == 1, "\(second)")
            archive.run(publisher, seconds: 1, observing: observer)
            histories.load(archive.channel)
        }
        #expect(histories.findings == [])
    }

    /// A viewer who goes back gets segments of the earlier push, with a still image beside the audio since then.
    @Test(arguments: [[Kind.both, .audio], [.otherSize, .video]])
    func bandwidthsCoverWhatTheTimeShiftLists(_ change: [Kind]) throws {
        let archive = try ArchiveFixture(ArchivePolicy(windowSeconds: 60))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock, settings: change[0].settings)
        publisher.settings.frameByteCount = 5_000
        let observer = PlaylistObserver(archive.channel, clock: archive.clock)
        try publisher.begin()
        archive.run(publisher, seconds: 30, observing: observer)
        publisher.end()
        publisher.settings = change[1].settings
        try publisher.begin()
        for _ in 0..<30 {
            archive.run(publisher, seconds: 3, observing: observer)
            let multivariant = try #require(observer.loadAll())
            let variant = try #require(multivariant.variants.first)
            let listed = names(multivariant)
            var measured: [SegmentBitRate] = []
            for name in listed {
                let playlist = try #require(observer.load(name))
                let segments = playlist.segments.filter { !$0.isGap }
                    .map { (observer.fetch($0.uri)?.readableBytes ?? 0, $0.duration) }
                measured.append(
                    SegmentBitRate(segments: segments, targetDuration: Double(playlist.targetDuration)))
            }
            #expect(measured.reduce(0) { $0 + $1.peak } <= variant.bandwidth)
            #expect(measured.reduce(0) { $0 + $1.average } <= variant.averageBandwidth ?? 0)
        }
    }

    /// Viewers of fMP4 who still ask for Opus, which is silent, do not keep others from MPEG-TS.
    @Test func transportStreamsGoOnWithoutAStandInThatTheyCannotCarry() throws {
        let channel = TestMedia.channel(clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock, settings: Kind.opus.settings)
        try publisher.begin()
        publisher.run(seconds: 15)
        publisher.end()
        publisher.settings = Kind.video.settings
        try publisher.begin()
        publisher.run(seconds: 3)
        guard case .unsuitable = channel.playlist(LivePlaylistRequest(name: "playlist", form: .transportStream)) else {
            Issue.record("Opus is in the window")
            return
        }
        for _ in 0..<30 {
            publisher.run(seconds: 1)
            observer.loadAll()
        }
        #expect(channel.window().renditions.map(\.name) == ["video", "audio"])
        guard
            case .ready(let rendered) = channel.playlist(LivePlaylistRequest(name: "playlist", form: .transportStream)),
            case .ready(let media) = channel.playlist(LivePlaylistRequest(name: "ts"))
        else {
            Issue.record("there is no MPEG-TS")
            return
        }
        let variant = try #require(MultivariantPlaylist(parsing: String(buffer: rendered.plain)).variants.first)
        #expect(variant.codecs.allSatisfy { $0.hasPrefix("avc1") })
        let segments = try MediaPlaylist(parsing: String(buffer: media.plain)).segments
        #expect(segments.count >= 3 && segments.allSatisfy { !$0.isGap })
        for segment in segments {
            let parts = segment.uri.split(separator: "/")
            let number = try #require(parts.last.flatMap { Int($0.dropLast(3)) })
            let content = channel.transportStreamSegment(mediaSequence: number, epoch: String(parts[0]))
            #expect(content?.tracks.map(\.configuration.mediaType) == [.video])
        }
    }

    /// Filling ends when nobody asks any more. Gaps follow what was filled, until the rendition is removed or comes
    /// back.
    @Test(arguments: [Kind.video, .audio]) func aRenditionThatComesBackAfterGapsHasNone(_ kind: Kind) throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 15)
        publisher.end()
        publisher.settings = kind.settings
        try publisher.begin()
        let name = kind == .video ? "audio" : "video"
        func hasGaps() -> Bool {
            guard let rendition = channel.window().rendition(named: name[...]) else { return false }
            return rendition.listsMedia && rendition.listed.suffix(2).allSatisfy(\.isGap)
        }
        for _ in 0..<200 where !hasGaps() { publisher.run(seconds: 0.5) }
        try #require(hasGaps())
        publisher.end()
        publisher.settings = Kind.both.settings
        try publisher.begin()
        let observer = PlaylistObserver(channel, clock: clock)
        for _ in 0..<20 {
            publisher.run(seconds: 0.5)
            let window = channel.window()
            guard names(window.multivariantPlaylist()).count == 2 else { continue }
            for rendition in window.renditions {
                let segments = window.mediaPlaylist(of: rendition).segments
                #expect(segments.allSatisfy { !$0.isGap && observer.fetch($0.uri) != nil }, "\(rendition.name)")
            }
            guard case .ready(let media) = channel.playlist(LivePlaylistRequest(name: "ts")) else { continue }
            for segment in try MediaPlaylist(parsing: String(buffer: media.plain)).segments where !segment.isGap {
                let parts = segment.uri.split(separator: "/")
                let number = try #require(parts.last.flatMap { Int($0.dropLast(3)) })
                #expect(channel.transportStreamSegment(mediaSequence: number, epoch: String(parts[0])) != nil)
            }
        }
        #expect(names(channel.window().multivariantPlaylist()).count == 2)
    }
}
