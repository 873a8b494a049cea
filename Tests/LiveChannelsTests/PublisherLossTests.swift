import HLSPlaylist
import MediaCore
import NIOCore
import NIOEmbedded
import Packaging
import Testing
import TestSupport

@testable import LiveChannels

struct PublisherLossTests {
    let clock = TestClock()
    static let ending = LossPolicy(action: .end, timeoutSeconds: 30)

    private func run(_ publisher: SyntheticPublisher, _ observer: PlaylistObserver, seconds: Int) {
        for _ in 0..<(seconds * 2) {
            publisher.run(seconds: 0.5)
            observer.loadAll()
        }
    }

    private func playlist(_ name: String, _ channel: LiveChannel) throws -> MediaPlaylist {
        try MediaPlaylist(parsing: try #require(PlaylistHistories.text(name, of: channel)))
    }

    @Test(arguments: [false, true])
    func playlistsEndWhenNobodyHasPushedForTheTimeout(isIntended: Bool) throws {
        let channel = TestMedia.channel(clock: clock, onLoss: Self.ending)
        let observer = PlaylistObserver(channel, clock: clock)
        var histories = PlaylistHistories()
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        run(publisher, observer, seconds: 25)
        histories.load(channel)
        publisher.end(isIntended: isIntended)
        clock.advance(by: .milliseconds(29_999))
        histories.load(channel)
        #expect(try playlist("video", channel).hasEndList == false)
        #expect(channel.status().state == (isIntended ? .idle : .interrupted))
        clock.advance(by: .milliseconds(1))
        histories.load(channel)
        for name in ["video", "audio"] {
            let text = try #require(PlaylistHistories.text(name, of: channel))
            #expect(text.hasSuffix("#EXT-X-ENDLIST\n"))
            for tag in ["PRELOAD-HINT", "RENDITION-REPORT", "CAN-BLOCK-RELOAD", "CAN-SKIP-UNTIL", "PLAYLIST-TYPE"] {
                #expect(!text.contains(tag), "\(tag)")
            }
            #expect(text.contains("PART-TARGET=0.5") && text.contains("PART-HOLD-BACK=1.5"))
            let skipping = LivePlaylistRequest(name: name, skips: true)
            guard case .ready(let delta) = channel.playlist(skipping) else {
                Issue.record("no answer to a delta update")
                continue
            }
            #expect(String(buffer: delta.plain) == text, "bis 6.2.5.1: ignored once there is an end")
        }
        observer.loadAll()
        #expect(channel.status().state == .idle)
        #expect(histories.findings == [])
    }

    @Test func thoseWhoWaitAreAnswered() throws {
        let channel = TestMedia.channel(clock: clock, onLoss: Self.ending)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 11)
        publisher.end()
        let last = try playlist("video", channel)
        let next = last.mediaSequence + last.segments.count
        let position = ReloadPosition(mediaSequence: next, part: 0)
        let request = LivePlaylistRequest(name: "video", position: position)
        guard case .pending(let moment) = channel.playlist(request) else {
            Issue.record("nothing to wait for")
            return
        }
        var answer: Bool?
        channel.wait(for: moment, identifier: 1, on: publisher.eventLoop).assumeIsolated().whenSuccess { answer = $0 }
        clock.advance(by: .milliseconds(29_000))
        publisher.eventLoop.advanceTime(by: .seconds(29))
        #expect(answer == nil)
        // The wall clock was set back meanwhile.
        clock.advance(by: .milliseconds(-3_600_000))
        publisher.eventLoop.advanceTime(by: .seconds(1))
        #expect(answer == true)
        guard case .ready(let ended) = channel.playlist(request) else {
            Issue.record("the end is no answer")
            return
        }
        #expect(String(buffer: ended.plain).contains("#EXT-X-ENDLIST"))
        // However far ahead somebody asks.
        let far = LivePlaylistRequest(name: "video", position: ReloadPosition(mediaSequence: next + 9, part: nil))
        guard case .ready = channel.playlist(far) else {
            Issue.record("a later position is not answered with the end")
            return
        }
    }

    @Test func whoIsBackInTimeGoesOn() throws {
        let channel = TestMedia.channel(clock: clock, onLoss: Self.ending)
        let observer = PlaylistObserver(channel, clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        for _ in 0..<3 {
            try publisher.begin()
            run(publisher, observer, seconds: 9)
            publisher.end()
            clock.advance(by: .milliseconds(29_000))
            publisher.eventLoop.advanceTime(by: .seconds(29))
            observer.loadAll()
        }
        try publisher.begin()
        // The time that ran when it came back is over.
        clock.advance(by: .milliseconds(29_000))
        publisher.eventLoop.advanceTime(by: .seconds(29))
        observer.loadAll()
        #expect(try playlist("video", channel).segments.count(where: \.isDiscontinuous) == 2)
        #expect(try playlist("video", channel).hasEndList == false)
    }

    /// One that takes the channel and sends nothing is no reason to wait for longer than the timeout once more.
    @Test func aPushThatShowsNothingPostponesTheEnd() throws {
        let channel = TestMedia.channel(clock: clock, onLoss: Self.ending)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 9)
        publisher.end()
        clock.advance(by: .milliseconds(20_000))
        try publisher.begin()
        clock.advance(by: .milliseconds(20_000))
        #expect(try playlist("video", channel).hasEndList == false)
        publisher.end()
        clock.advance(by: .milliseconds(29_999))
        #expect(try playlist("video", channel).hasEndList == false)
        clock.advance(by: .milliseconds(1))
        #expect(try playlist("video", channel).hasEndList)
    }

    @Test func aPushBehindTheEndBeginsANewPlaylist() throws {
        let channel = TestMedia.channel(clock: clock, onLoss: Self.ending)
        let observer = PlaylistObserver(channel, clock: clock)
        var histories = PlaylistHistories()
        let publisher = SyntheticPublisher(channel, clock: clock)
        for push in 0..<3 {
            try publisher.begin()
            run(publisher, observer, seconds: 17)
            histories.load(channel)
            let video = try playlist("video", channel)
            #expect(video.segments.count(where: \.isDiscontinuous) == (push == 0 ? 0 : 1))
            #expect(video.segments.first?.isDiscontinuous == (push > 0))
            #expect(video.discontinuitySequence == max(0, push - 1))
            #expect(Set(video.segments.compactMap { $0.uri.split(separator: "/").first }).count == 1, "one epoch")
            publisher.end()
            clock.advance(by: .milliseconds(30_000))
            // Fetches what was listed before, too.
            observer.loadAll()
            histories.load(channel)
        }
        #expect(histories.findings == [])
        let held = channel.heldByteCount()
        try publisher.begin()
        publisher.run(seconds: 90)
        #expect(channel.withState { $0.former == nil })
        #expect(channel.heldByteCount() < held * 2)
    }

    @Test func anEndIsNotStale() throws {
        let channel = TestMedia.channel(clock: clock, onLoss: LossPolicy(action: .end, timeoutSeconds: 240))
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 9)
        publisher.end()
        clock.advance(by: .seconds(240) + LiveChannel.retention - .milliseconds(1))
        #expect(try playlist("video", channel).hasEndList)
        clock.advance(by: .milliseconds(1))
        #expect(PlaylistHistories.text("video", of: channel) == nil)
        #expect(channel.status().state == .idle)
    }

    @Test func theNextInTheQueueIsNoLoss() throws {
        let channel = TestMedia.channel(
            clock: clock, publishing: PublishingPolicy(secondPublisher: .queue), onLoss: Self.ending)
        let (first, second) = (SyntheticPublisher(channel, clock: clock), SyntheticPublisher(channel, clock: clock))
        try first.begin()
        first.run(seconds: 9)
        try second.begin()
        first.end()
        second.eventLoop.run()
        clock.advance(by: .milliseconds(60_000))
        first.eventLoop.advanceTime(by: .seconds(60))
        #expect(try playlist("video", channel).hasEndList == false)
        second.run(seconds: 5)
        #expect(try playlist("video", channel).segments.count(where: \.isDiscontinuous) == 1)
    }

    @Test func holdWaits() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 9)
        publisher.end()
        clock.advance(by: .milliseconds(299_000))
        publisher.eventLoop.advanceTime(by: .seconds(299))
        #expect(try playlist("video", channel).hasEndList == false)
    }

    @Test func closingTheServerStopsTheTimer() throws {
        let channel = TestMedia.channel(clock: clock, onLoss: Self.ending)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 9)
        publisher.end()
        channel.close()
        #expect(channel.withState { $0.lossTimer == nil })
        publisher.eventLoop.advanceTime(by: .seconds(60))
        #expect(try playlist("video", channel).hasEndList == false)
    }
}
