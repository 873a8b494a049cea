import Foundation
import HLSPlaylist
import MediaCore
import NIOCore
import Packaging
import Testing
import TestSupport

@testable import LiveChannels

struct TimeShiftTests {
    @Test func thePlaylistReachesBackAndMemoryStaysFlat() throws {
        let archive = try ArchiveFixture(ArchivePolicy(windowSeconds: 120))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        let observer = PlaylistObserver(archive.channel, clock: archive.clock)
        try publisher.begin()
        archive.run(publisher, seconds: 60, observing: observer)
        let held = archive.channel.heldByteCount()
        archive.run(publisher, seconds: 140, observing: observer)
        let video = try #require(observer.load("video"))
        #expect(abs(video.segments.reduce(0) { $0 + $1.duration } - 120) <= 2)
        #expect(video.segments.allSatisfy { !$0.isGap })
        #expect(Double(archive.channel.heldByteCount()) < Double(held) * 1.1)
    }

    /// Events stand in front of fragments.
    @Test(arguments: [false, true]) func archivedSegmentsAreTheSameBytes(_ hasEvents: Bool) throws {
        let archive = try ArchiveFixture(ArchivePolicy(windowSeconds: 120))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        let observer = PlaylistObserver(archive.channel, clock: archive.clock)
        try publisher.begin()
        var known: [String: ByteBuffer] = [:]
        for round in 0..<40 {
            archive.run(publisher, seconds: 2.1)
            if hasEvents {
                let metadata = try TimedMetadata(duration: 1, tag: ID3Tag(description: "round", value: "\(round)"))
                _ = try #require(publisher.epoch).announce(metadata).get()
            }
            // Reconnects put later epochs elsewhere on the file's timeline.
            if round % 10 == 9 {
                publisher.end()
                archive.pass(seconds: 1)
                try publisher.begin()
            }
            for name in ["video", "audio"] {
                for segment in observer.load(name)?.segments ?? [] where known[segment.uri] == nil {
                    known[segment.uri] = observer.fetch(segment.uri)
                }
            }
        }
        let listed = try ["video", "audio"].flatMap { try #require(observer.load($0)).segments }
        let archived = listed.filter { segment in
            let parts = segment.uri.split(separator: "/")
            return archive.channel.archivedSegment(
                rendition: parts[1], mediaSequence: Int(parts[2].dropLast(4)) ?? -1, epoch: parts[0]) != nil
        }
        #expect(archived.count > 40)
        for segment in archived {
            let read = try #require(observer.fetch(segment.uri))
            #expect(known[segment.uri] == read, "\(segment.uri)")
        }
    }

    @Test func filesGoWhenNobodyCanAskForThemAnyMore() throws {
        let archive = try ArchiveFixture(ArchivePolicy(windowSeconds: 1_200))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock, settings: .fewBytes)
        try publisher.begin()
        var counts: [Int] = []
        for _ in 0..<12 {
            archive.run(publisher, seconds: 300)
            // A viewer's playlist has to be good for as long again.
            if counts.count == 3 { _ = archive.channel.playlist(named: "video") }
            counts.append(archive.windowFiles().count { $0.hasSuffix(WindowFolder.movieSuffix) })
        }
        #expect(counts.max() ?? 0 <= 6, "\(counts)")
        #expect(counts.last ?? 0 <= 4, "\(counts)")
        // Nobody is shown old frames, but the next push's viewers could go back to them for a while.
        publisher.end()
        archive.pass(seconds: 301)
        #expect(!archive.channel.window().isPlayable)
        archive.pass(seconds: 1)
        #expect(!archive.windowFiles().isEmpty)
        archive.pass(seconds: 1_200)
        #expect(!archive.channel.window().isPlayable)
        archive.writer.flush()
        archive.pass(seconds: 1)
        #expect(archive.windowFiles().isEmpty)
    }

    @Test func aDiskThatFailsLeavesHolesThatAreListedAsSuch() throws {
        let archive = try ArchiveFixture(ArchivePolicy(windowSeconds: 120))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        try publisher.begin()
        archive.run(publisher, seconds: 20)
        archive.failure.errno = 28
        archive.run(publisher, seconds: 20)
        archive.failure.errno = 0
        #expect(archive.channel.status().errors.count { $0.message.contains("the disk is full") } == 1)
        archive.run(publisher, seconds: 40)
        for name in ["video", "audio"] {
            let text = try #require(archive.channel.playlist(named: name[...])).plain
            let playlist = try MediaPlaylist(parsing: String(buffer: text))
            let gaps = playlist.segments.count(where: \.isGap)
            #expect((9...11).contains(gaps), "\(gaps)")
            let observer = PlaylistObserver(archive.channel, clock: archive.clock)
            #expect(playlist.segments.allSatisfy { $0.isGap || observer.fetch($0.uri) != nil })
        }
    }

    @Test func aDiskThatStandsStillLeavesAHoleAndNobodyWaits() throws {
        let archive = try ArchiveFixture(ArchivePolicy(windowSeconds: 3_600))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock, settings: .fewBytes)
        try publisher.begin()
        archive.run(publisher, seconds: 20)
        archive.disk.wait()
        publisher.run(seconds: 1_000)
        #expect(archive.channel.status().errors.isEmpty, "so much may wait")
        let waiting = try #require(archive.channel.playlist(named: "video")).plain
        let observer = PlaylistObserver(archive.channel, clock: archive.clock)
        let playlist = try MediaPlaylist(parsing: String(buffer: waiting))
        #expect(playlist.segments.count >= 505)
        #expect(playlist.segments.allSatisfy { !$0.isGap && observer.fetch($0.uri) != nil }, "from memory")
        publisher.run(seconds: 100)
        #expect(archive.channel.status().errors.map(\.message).contains { $0.contains("too slow") })
        archive.disk.signal()
        archive.run(publisher, seconds: 60)
        let after = try #require(archive.channel.playlist(named: "video")).plain
        let segments = try MediaPlaylist(parsing: String(buffer: after)).segments
        let gaps = segments.count(where: \.isGap)
        #expect((20...60).contains(gaps), "\(gaps)")
        #expect(segments.allSatisfy { $0.isGap || observer.fetch($0.uri) != nil })
    }

    @Test func aRecordingServesThoseWhoLookBackEvenWhenItsTitleIsDeleted() throws {
        let archive = try ArchiveFixture(ArchivePolicy(windowSeconds: 120))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        let observer = PlaylistObserver(archive.channel, clock: archive.clock)
        try publisher.begin()
        archive.run(publisher, seconds: 20, observing: observer)
        _ = try archive.channel.startRecording()
        archive.run(publisher, seconds: 40, observing: observer)
        try archive.stopRecording()
        try FileManager.default.removeItem(atPath: archive.path(ofRecording: try #require(archive.recordings().first)))
        archive.run(publisher, seconds: 40, observing: observer)
        let video = try #require(observer.load("video"))
        #expect(video.segments.count >= 48)
        #expect(video.segments.allSatisfy { !$0.isGap })
    }

    @Test func aRenditionThatGoesLeavesItsPastBehind() throws {
        let archive = try ArchiveFixture(ArchivePolicy(windowSeconds: 300))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        let observer = PlaylistObserver(archive.channel, clock: archive.clock)
        try publisher.begin()
        archive.run(publisher, seconds: 60, observing: observer)
        publisher.end()
        publisher.settings.audio = nil
        try publisher.begin()
        archive.run(publisher, seconds: 60, observing: observer)
        let audio = try #require(observer.load("audio"))
        #expect(audio.segments.contains { !$0.isGap })
        publisher.end()
        publisher.settings.audio = TestMedia.audioStereo
        try publisher.begin()
        archive.run(publisher, seconds: 60, observing: observer)
        #expect(try #require(observer.load("video")).segments.count >= 85)
    }

    @Test func theNextPushHasThePastOfTheLastOne() throws {
        let archive = try ArchiveFixture(ArchivePolicy(windowSeconds: 1_800))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        let observer = PlaylistObserver(archive.channel, clock: archive.clock)
        try publisher.begin()
        archive.run(publisher, seconds: 60, observing: observer)
        publisher.end()
        archive.pass(seconds: 600)
        #expect(observer.load("video") == nil, "not the old frames by themselves")
        #expect(archive.channel.status().state == .idle)
        #expect(archive.channel.heldByteCount() == 0)
        try publisher.begin()
        archive.run(publisher, seconds: 60, observing: observer)
        let video = try #require(observer.load("video"))
        #expect(video.segments.count >= 58)
        #expect(video.segments.count(where: \.isDiscontinuous) == 1)
        #expect(video.segments.allSatisfy { !$0.isGap && observer.fetch($0.uri) != nil })
    }

    // MARK: ?start=

    /// Two pushes with a pause, and their playlist from a time on.
    struct Programme {
        let archive: ArchiveFixture
        let begin: WallClockTime
        let second: WallClockTime

        init() throws {
            archive = try ArchiveFixture(ArchivePolicy(windowSeconds: 600))
            let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
            try publisher.begin()
            begin = archive.clock.time
            archive.run(publisher, seconds: 60)
            publisher.end()
            archive.pass(seconds: 30)
            try publisher.begin()
            second = archive.clock.time
            archive.run(publisher, seconds: 80)
        }

        func load(_ name: String = "video", from start: WallClockTime?, skips: Bool = false) throws -> MediaPlaylist {
            let request = LivePlaylistRequest(name: name, skips: skips, start: start)
            guard case .ready(let playlist) = archive.channel.playlist(request) else { throw CancellationError() }
            return try MediaPlaylist(parsing: String(buffer: playlist.plain))
        }
    }

    @Test(arguments: [
        // Milliseconds after the first frame, the first segment's number, and the seconds from its start.
        (Int64(0), 0, 0.0), (-5_000, 0, 0), (11_500, 5, 1.5), (60_500, 30, 0), (75_000, 30, 0), (95_250, 32, 1.25),
    ])
    func aPlaylistBeginsWhereTheProgrammeDoes(_ time: Int64, _ number: Int, _ offset: Double) throws {
        let programme = try Programme()
        let whole = try programme.load(from: nil)
        for name in ["video", "audio"] {
            let playlist = try programme.load(name, from: programme.begin + .milliseconds(time))
            #expect(playlist.mediaSequence == number)
            #expect(playlist.segments.count == whole.segments.count - number)
            #expect(abs((playlist.start?.timeOffset ?? -1) - offset) < 0.05, "\(playlist.start?.timeOffset ?? -1)")
            #expect(playlist.start?.isPrecise == true)
            let before =
                (whole.discontinuitySequence ?? 0) + whole.segments.prefix(number).count(where: \.isDiscontinuous)
            #expect(playlist.discontinuitySequence == before)
            #expect(playlist.renditionReports.allSatisfy { $0.uri.contains("start=") })
        }
    }

    @Test func aTimeInMemoryIsAnOffsetAndOneThatIsToComeIsTheEdge() throws {
        let programme = try Programme()
        let archive = programme.archive
        let recent = try programme.load(from: archive.clock.time - .seconds(9))
        #expect(recent.segments.count >= 9)
        let span = recent.segments.reduce(0) { $0 + $1.duration }
        #expect(abs((recent.start?.timeOffset ?? 0) - (span - 9)) < 2.1)
        let future = try programme.load(from: archive.clock.time + .seconds(60))
        #expect(future.start == nil && future.segments.count >= 9)
        let delta = try programme.load(from: programme.begin + .seconds(20), skips: true)
        #expect(delta.mediaSequence == 10)
        #expect(delta.skip?.count ?? 0 > 20)
    }

    @Test func theMultivariantPlaylistCarriesTheTimeOn() throws {
        let programme = try Programme()
        let request = LivePlaylistRequest(
            name: "playlist", form: .wholeSegments, start: programme.begin + .milliseconds(1_500))
        guard case .ready(let playlist) = programme.archive.channel.playlist(request) else {
            Issue.record("no playlist")
            return
        }
        let multivariant = try MultivariantPlaylist(parsing: String(buffer: playlist.plain))
        let uris = multivariant.variants.map(\.uri) + multivariant.renditions.compactMap(\.uri)
        // Sound alone is a variant, too.
        #expect(Set(uris) == ["video.m3u8?ll=0&start=1767225601.500", "audio.m3u8?ll=0&start=1767225601.500"])
    }

    @Test func deltaUpdatesLeaveOutWhatLiesOnDisk() throws {
        let archive = try ArchiveFixture(ArchivePolicy(windowSeconds: 600))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        try publisher.begin()
        archive.run(publisher, seconds: 300)
        func load(skips: Bool) throws -> RenderedPlaylist {
            guard case .ready(let playlist) = archive.channel.playlist(LivePlaylistRequest(name: "video", skips: skips))
            else { throw CancellationError() }
            return playlist
        }
        let whole = try MediaPlaylist(parsing: String(buffer: load(skips: false).plain))
        let delta = try MediaPlaylist(parsing: String(buffer: load(skips: true).plain))
        #expect(whole.segments.count >= 145)
        let skipped = try #require(delta.skip?.count)
        #expect(skipped > 120)
        #expect(delta.segments.map(\.uri) == whole.segments.dropFirst(skipped).map(\.uri))
        #expect(delta.mediaSequence == whole.mediaSequence)
    }
}
