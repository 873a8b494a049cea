import FastPathSwitch
import HLSPlaylist
import MediaCore
import NIOCore
import NIOEmbedded
import Packaging
import Testing
import TestSupport

@testable import LiveChannels

/// Partial segments, blocking reloads and hints from a player's point of view.
struct LowLatencyTests {
    let clock = TestClock()
    let eventLoop = EmbeddedEventLoop()

    private func live(seconds: Double) throws -> (LiveChannel, SyntheticPublisher) {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: seconds)
        return (channel, publisher)
    }

    private func playlist(_ channel: LiveChannel, _ request: LivePlaylistRequest) throws -> MediaPlaylist? {
        guard case .ready(let rendered) = channel.playlist(request) else { return nil }
        return try MediaPlaylist(parsing: String(buffer: rendered.plain))
    }

    private func video(_ mediaSequence: Int, _ part: Int? = nil) -> LivePlaylistRequest {
        LivePlaylistRequest(name: "video", position: ReloadPosition(mediaSequence: mediaSequence, part: part))
    }

    private final class Answer {
        var value: Bool?
    }

    private func wait(_ channel: LiveChannel, _ moment: AwaitedMedia, _ identifier: Int = 1) -> Answer {
        let answer = Answer()
        channel.wait(for: moment, identifier: identifier, on: eventLoop).assumeIsolated()
            .whenSuccess { answer.value = $0 }
        return answer
    }

    @Test func thePlaylistListsPartsAsTheyComeAndTheNextOne() throws {
        let (channel, publisher) = try live(seconds: 5.3)
        let first = try #require(try playlist(channel, LivePlaylistRequest(name: "video")))
        #expect(first.segments.count == 2 && first.openSegment?.parts.count == 2)
        #expect(first.openSegment?.parts.map(\.isIndependent) == [true, false])
        #expect(first.openSegment?.programDateTime == (TestClock.start + .milliseconds(4_000)).millisecondsSince1970)
        let hint = try #require(first.preloadHints.first)
        publisher.run(seconds: 0.3)
        let second = try #require(try playlist(channel, LivePlaylistRequest(name: "video")))
        #expect(second.openSegment?.parts.last?.uri == hint.uri)
        let report = try #require(second.renditionReports.first)
        let audio = try #require(try playlist(channel, LivePlaylistRequest(name: "audio")))
        #expect(report.uri == "audio.m3u8" && report.lastMediaSequence == 2)
        #expect(report.lastPart == (audio.openSegment?.parts.count ?? 0) - 1)
    }

    /// The segment is as long as the one before it: the next part is the next segment's.
    @Test func theHintFollowsTheGroupOfPictures() throws {
        let (channel, publisher) = try live(seconds: 3.99)
        #expect(publisher.epoch != nil)
        let list = try #require(try playlist(channel, LivePlaylistRequest(name: "video")))
        #expect(list.openSegment?.parts.last.map { $0.uri.hasSuffix("/1.3.m4s") } == true)
        let hint = try #require(list.preloadHints.first?.uri)
        // 25 frames a second make parts of 0.48 s; four of them and two frames make the segment.
        #expect(hint.hasSuffix("/1.4.m4s") || hint.hasSuffix("/2.0.m4s"))
    }

    /// Only a viewer that waits for a part demands the prompt handling of packets. Where the video is cut, the audio's
    /// segment ends, so that a listener needs both tracks.
    @Test func onlyViewersWhoWaitForPartsAndReadersAreInAHurry() throws {
        let (channel, _) = try live(seconds: 4.6)
        eventLoop.advanceTime(by: .seconds(100))
        func hurried() -> [MediaType] {
            MediaType.allCases.filter { channel.promptTime($0, now: eventLoop.now) == eventLoop.now }
        }
        _ = try playlist(channel, LivePlaylistRequest(name: "video"))
        _ = wait(channel, .firstSegment(rendition: "video"))
        _ = wait(channel, .position(ReloadPosition(mediaSequence: 3, part: nil), rendition: "video"), 2)
        #expect(hurried() == [])
        _ = wait(channel, .position(ReloadPosition(mediaSequence: 2, part: 1), rendition: "video"), 3)
        #expect(hurried() == [.video])
        eventLoop.advanceTime(by: .seconds(9))
        #expect(hurried() == [.video])
        _ = wait(channel, .position(ReloadPosition(mediaSequence: 2, part: 1), rendition: "audio"), 4)
        #expect(hurried() == [.video, .audio])
        eventLoop.advanceTime(by: .seconds(9))
        #expect(hurried() == [.video, .audio])
        eventLoop.advanceTime(by: .seconds(2))
        #expect(hurried() == [])
        let subscription = channel.fanOut.subscribe(ReadingFanOutTests.Receiver(), on: eventLoop)
        #expect(hurried() == [.video, .audio])
        channel.fanOut.unsubscribe(subscription.identifier)
        #expect(hurried() == [])
        for identifier in 1...4 { channel.stopWaiting(identifier) }
    }

    /// Packets in the middle of a part are of use to nobody.
    @Test(.enabled(if: FastPaths.takes(.partRhythm))) func whoWaitsForAPartIsInAHurryWhenItCanBeFinished() throws {
        let (channel, publisher) = try live(seconds: 0)
        var rests: [[Bool]] = []
        for _ in 0..<4_000 {
            for loop in [publisher.eventLoop, eventLoop] { loop.advanceTime(by: .milliseconds(5)) }
            publisher.run(seconds: 0.005)
            for mediaType in MediaType.allCases {
                let position = ReloadPosition(mediaSequence: 20, part: 1)
                _ = wait(channel, .position(position, rendition: mediaType.rawValue))
                channel.stopWaiting(1)
            }
            let now = publisher.eventLoop.now
            rests.append(try MediaType.allCases.map { try #require(channel.promptTime($0, now: now)) > now })
        }
        #expect(rests.prefix(800).joined().allSatisfy { !$0 }, "at first it is not known when parts come")
        for (index, mediaType) in MediaType.allCases.enumerated() {
            let count = rests.suffix(2_400).count { $0[index] }
            #expect((2_000...2_390).contains(count), "\(count) of 2,400 for \(mediaType)")
        }
        #expect(rests.suffix(2_400).contains { $0[0] != $0[1] }, "each track has its own parts")
    }

    @Test func aReloadIsAnsweredWhenItsPartIsThere() throws {
        let (channel, publisher) = try live(seconds: 4.6)
        // Segment 2 has one part.
        #expect(try playlist(channel, video(2, 0)) != nil)
        guard case .pending(let moment) = channel.playlist(video(2, 1)) else {
            Issue.record("not held")
            return
        }
        let waiting = wait(channel, moment)
        publisher.run(seconds: 0.2)
        #expect(waiting.value == nil)
        publisher.run(seconds: 0.3)
        #expect(waiting.value == true)
        #expect(try playlist(channel, video(2, 1))?.openSegment?.parts.count == 2)
    }

    @Test func aReloadOfASegmentWaitsForAllOfIt() throws {
        let (channel, publisher) = try live(seconds: 4.6)
        #expect(try playlist(channel, video(1)) != nil)
        guard case .pending(let moment) = channel.playlist(video(2)) else {
            Issue.record("not held")
            return
        }
        let waiting = wait(channel, moment)
        publisher.run(seconds: 1.2)
        #expect(waiting.value == nil)
        publisher.run(seconds: 0.4)
        #expect(waiting.value == true)
        #expect(try playlist(channel, video(2))?.segments.count == 3)
    }

    /// rfc8216bis §6.2.5.2: a part behind the last of its segment is part 0 of the next.
    @Test func aPartBehindTheEndIsTheNextSegmentsFirst() throws {
        let (channel, publisher) = try live(seconds: 6.1)
        #expect(try playlist(channel, video(1, 60)) != nil, "long there")
        guard case .pending(let moment) = channel.playlist(video(2, 5)) else {
            Issue.record("not held")
            return
        }
        let waiting = wait(channel, moment)
        publisher.run(seconds: 0.25)
        #expect(waiting.value == nil)
        publisher.run(seconds: 0.25)
        #expect(waiting.value == true)
        #expect(try playlist(channel, video(2, 5))?.openSegment?.parts.count == 1)
    }

    @Test(
        arguments: [
            (3, nil, true), (4, nil, false), (Int.max, nil, false), (2, 6, true), (2, 7, false), (3, 5, true),
            (3, 6, false),
            (2, Int.max, false), (0, 100, true),
        ] as [(Int, Int?, Bool)])
    func whoIsTooFarAheadIsTold(mediaSequence: Int, part: Int?, isAllowed: Bool) throws {
        // Segments 0 and 1, and one part of segment 2; six parts may be waited for.
        let (channel, _) = try live(seconds: 4.6)
        #expect(try playlist(channel, LivePlaylistRequest(name: "video"))?.openSegment?.parts.count == 1)
        if case .tooFarAhead = channel.playlist(video(mediaSequence, part)) {
            #expect(!isAllowed)
        } else {
            #expect(isAllowed)
        }
    }

    /// Two frames a second are longer than a part of 0.3 s: only whole segments are published.
    @Test func aSegmentWithoutPartsAnswersWhoWaitsForOne() throws {
        let channel = TestMedia.channel(clock: clock, packaging: LivePackagingConfiguration(partDuration: 0.3))
        var settings = SyntheticPublisher.Settings()
        (settings.framesPerSecond, settings.framesPerGroup) = (2, 4)
        let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        try publisher.begin()
        publisher.run(seconds: 14.2)
        let list = try #require(try playlist(channel, LivePlaylistRequest(name: "video")))
        #expect(list.openSegment == nil && list.segments.last?.parts.isEmpty == true)
        let next = list.mediaSequence + list.segments.count
        guard case .pending(let moment) = channel.playlist(video(next, 0)) else {
            Issue.record("not held")
            return
        }
        let waiting = wait(channel, moment)
        publisher.run(seconds: 2.5)
        #expect(waiting.value == true)
        #expect(try playlist(channel, video(next, 0)) != nil)
    }

    @Test func aHintedPartIsWaitedForAndOthersAreNot() throws {
        let (channel, publisher) = try live(seconds: 4.6)
        let epoch = try #require(channel.window().rendition(named: "video")?.newestEpoch)
        func address(_ mediaSequence: Int, _ index: Int, _ epoch: String) -> AwaitedMedia {
            .part(LivePartAddress(rendition: "video", epoch: epoch, mediaSequence: mediaSequence, index: index))
        }
        #expect(wait(channel, address(2, 0, epoch)).value == true)
        for other in [address(2, 2, epoch), address(3, 1, epoch), address(4, 0, epoch), address(2, 1, "x")] {
            #expect(wait(channel, other).value == false)
        }
        let next = wait(channel, address(2, 1, epoch), 1)
        let first = wait(channel, address(3, 0, epoch), 2)
        publisher.run(seconds: 0.5)
        #expect(next.value == true && first.value == nil)
        publisher.end()
        #expect(first.value == false, "the push has ended; another's parts have other addresses")
    }

    @Test func aPlayerThatWaitsIsKeptWhileThePublisherIsAway() throws {
        let (channel, publisher) = try live(seconds: 4.6)
        publisher.end()
        // What was open has become segment 2.
        let ended = try #require(try playlist(channel, LivePlaylistRequest(name: "video")))
        #expect(ended.segments.count == 3 && ended.openSegment == nil && ended.preloadHints.isEmpty)
        let waiting = wait(channel, .position(ReloadPosition(mediaSequence: 3, part: 0), rendition: "video"))
        #expect(waiting.value == nil)
        clock.advance(by: .milliseconds(3_000))
        let next = SyntheticPublisher(channel, clock: clock)
        try next.begin()
        next.run(seconds: 0.6)
        #expect(waiting.value == true)
        let after = try #require(try playlist(channel, video(3, 0)))
        #expect(after.openSegment?.isDiscontinuous == true)
        #expect(after.openSegment?.initializationSection != ended.segments.last?.initializationSection)
    }

    @Test func wholeSegmentsOnlyForWhoAsks() throws {
        let (channel, _) = try live(seconds: 9)
        let plain = try #require(try playlist(channel, LivePlaylistRequest(name: "video", form: .wholeSegments)))
        #expect(plain.partTarget == nil && plain.openSegment == nil && plain.preloadHints.isEmpty)
        #expect(plain.renditionReports.isEmpty && plain.segments.allSatisfy { $0.parts.isEmpty })
        #expect(plain.serverControl?.canBlockReload != true)
        guard case .ready(let rendered) = channel.playlist(LivePlaylistRequest(name: "playlist", form: .wholeSegments))
        else {
            Issue.record("no multivariant playlist")
            return
        }
        let multivariant = try MultivariantPlaylist(parsing: String(buffer: rendered.plain))
        #expect(multivariant.variants.map(\.uri) == ["video.m3u8?ll=0", "audio.m3u8?ll=0"])
        #expect(multivariant.renditions.map(\.uri) == ["audio.m3u8?ll=0"])
    }

    @Test func whoKnowsPartsNeedNotWaitForASegment() throws {
        let (channel, publisher) = try live(seconds: 0.6)
        let request = LivePlaylistRequest(name: "video", form: .partsAtOnce)
        let first = try #require(try playlist(channel, request))
        #expect(first.segments.isEmpty && first.openSegment?.parts.count == 1)
        #expect(first.renditionReports.map(\.uri) == ["audio.m3u8?ll=1"])
        guard case .pending(.firstSegment("video")) = channel.playlist(LivePlaylistRequest(name: "video")) else {
            Issue.record("others wait")
            return
        }
        let multivariant = channel.playlist(LivePlaylistRequest(name: "playlist", form: .partsAtOnce))
        guard case .ready(let rendered) = multivariant else {
            Issue.record("no multivariant playlist")
            return
        }
        let playlist = try MultivariantPlaylist(parsing: String(buffer: rendered.plain))
        #expect(playlist.variants.map(\.uri) == ["video.m3u8?ll=1", "audio.m3u8?ll=1"])
        #expect(playlist.renditions.map(\.uri) == ["audio.m3u8?ll=1"])
        publisher.run(seconds: 8)
        let later = try #require(try self.playlist(channel, request))
        let others = try #require(try self.playlist(channel, LivePlaylistRequest(name: "video")))
        #expect(later.segments.count == 4 && later.segments == others.segments)
    }

    @Test func aDeltaUpdateLeavesOutWhatIsOld() throws {
        let channel = TestMedia.channel(clock: clock, packaging: LivePackagingConfiguration(minimumSegmentCount: 40))
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 90)
        let whole = try #require(try playlist(channel, LivePlaylistRequest(name: "video")))
        let delta = try #require(try playlist(channel, LivePlaylistRequest(name: "video", skips: true)))
        let skipped = try #require(delta.skip?.count)
        #expect(skipped > 10 && delta.mediaSequence == whole.mediaSequence)
        #expect(delta.segments.map(\.uri) == whole.segments.dropFirst(skipped).map(\.uri))
        #expect(delta.segments.reduce(0) { $0 + $1.duration } >= 36)
        #expect(delta.openSegment?.parts == whole.openSegment?.parts)
    }

    @Test func thousandsWhoWaitAreAnsweredAtOnce() throws {
        let (channel, publisher) = try live(seconds: 4.6)
        let moment = AwaitedMedia.position(ReloadPosition(mediaSequence: 2, part: 1), rendition: "video")
        let answers = (0..<5_000).map { wait(channel, moment, $0) }
        let late = wait(channel, .position(ReloadPosition(mediaSequence: 2, part: 2), rendition: "video"), 5_000)
        publisher.run(seconds: 0.5)
        #expect(answers.allSatisfy { $0.value == true } && late.value == nil)
    }
}
