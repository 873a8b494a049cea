import Foundation
import MediaCore
import Testing
import TestSupport

@testable import LiveChannels

struct ChannelStatusTests {
    let clock = TestClock()

    @Test func statesFollowThePush() throws {
        let channel = TestMedia.channel(clock: clock)
        #expect(channel.status().state == .idle)
        #expect(channel.status().since == nil)
        let publisher = SyntheticPublisher(channel, clock: clock)
        clock.advance(by: .milliseconds(1_000))
        try publisher.begin()
        publisher.run(seconds: 3)
        #expect(channel.status().state == .live)
        #expect(channel.status().since == Date(TestClock.start + .seconds(1)))
        publisher.end(reason: "connection reset", isIntended: false)
        #expect(channel.status().state == .interrupted)
        #expect(channel.status().publisher == nil && channel.status().tracks.isEmpty)
        #expect(channel.status().errors.last?.message == "the push ended: connection reset")
        try publisher.begin()
        publisher.run(seconds: 3)
        #expect(channel.status().state == .live)
        publisher.end(reason: "TEARDOWN", isIntended: true)
        #expect(channel.status().state == .idle)
        #expect(channel.status().errors.count == 1, "an intended end is no error")
    }

    @Test func measuresWhatComesIn() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 11)
        let status = channel.status()
        let video = try #require(status.tracks.first { $0.type == "video" })
        let audio = try #require(status.tracks.first { $0.type == "audio" })
        #expect(abs((video.frameRate ?? 0) - 25) < 0.6)
        #expect(abs((audio.frameRate ?? 0) - 46.875) < 1)
        // 49 frames of 2,004 bytes and one of 20,004 in two seconds; the measuring window is not a whole number of
        // them.
        #expect((430_000...640_000).contains(video.bitRate ?? 0), "\(video.bitRate ?? 0)")
        #expect(abs(Double(audio.bitRate ?? 0) - 93_750) < 3_000)
        #expect(video.width == 640 && video.height == 360 && video.rfc6381 == "avc1.64001e")
        #expect(audio.sampleRate == 48_000 && audio.channels == 2)
        publisher.epoch?.countLost(packetCount: 3)
        publisher.epoch?.countLost(packetCount: -5)
        publisher.end()
        let ended = channel.status()
        #expect(ended.packetsLost == 3)
        let pictureBytes = 5 * 49 * 2_012 + 25 * 2_012 + 6 * 20_012
        #expect(abs(ended.bytesIn - (pictureBytes + 516 * 262)) < 30_000, "\(ended.bytesIn)")
        channel.countSent(byteCount: 10)
        #expect(channel.status().bytesOut == ended.bytesOut + 10)
    }

    @Test func ratesOfWhatHasGoneSilentFallToZero() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 6)
        publisher.muted = [.audio]
        publisher.run(seconds: 6)
        let tracks = channel.status().tracks
        #expect(abs((tracks[0].frameRate ?? 0) - 25) < 0.6)
        #expect(tracks[1].frameRate == 0 && tracks[1].bitRate == 0)
        #expect(channel.status().presetComparison?.audioBitrate.verdict == .below)
        clock.advance(by: .milliseconds(6_000))
        #expect(channel.status().tracks.map(\.frameRate) == [0, 0], "the whole push")
    }

    @Test func errorsAreBoundedInNumberAndLength() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        for number in 0..<50 { publisher.epoch?.reportError("error \(number)") }
        publisher.epoch?.reportError(String(repeating: "é", count: 100_000))
        let errors = channel.status().errors
        #expect(errors.count == ErrorLog.maximumCount)
        #expect(errors.first?.message == "error 31")
        #expect(try #require(errors.last).message.utf8.count < 1_000)
        #expect(errors.last?.at == Date(TestClock.start))
    }

    @Test func theJSONIsTheContracts() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 3)
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let status = channel.status()
        let json = try encoder.encode(status)
        let object = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(
            Set(object.keys) == [
                "name", "title", "state", "since", "preset", "presets", "presetComparison", "publisher",
                "waitingPublishers",
                "tracks", "viewers", "viewersByVariant", "bytesIn", "bytesDiscarded", "bytesOut", "packetsLost",
                "errors", "playlist", "manifest", "keyFrameDistance",
            ])
        #expect(object["state"] as? String == "live")
        #expect(object["playlist"] as? String == "/live/canalA.stream/playlist.m3u8")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(try decoder.decode(ChannelStatus.self, from: json) == status)
    }
}

/// - Parameter milliseconds: since 1970.
private func time(_ milliseconds: Int) -> WallClockTime {
    WallClockTime(millisecondsSince1970: Int64(milliseconds))
}

struct RateMeterTests {
    @Test func countsOverTheLastIntervals() {
        var meter = RateMeter()
        #expect(meter.rates(at: 0) == nil)
        var news = 0
        for frame in 0..<250 where meter.add(byteCount: 1_000, now: time(frame * 40)) { news += 1 }
        #expect(news == 9)
        #expect(meter.rates(at: 9_960) == .init(frameRate: 25, bitRate: 200_000))
        // Half as fast now: after the last few seconds that is all it says.
        for frame in 0..<100 { _ = meter.add(byteCount: 1_000, now: time(10_000 + frame * 80)) }
        #expect(abs((meter.rates(at: 17_920)?.frameRate ?? 0) - 12.5) < 0.6)
    }

    /// The rates used to stay unchanged for as long as the push went on.
    @Test func fallsToZeroWhenTheTrackGoesSilent() throws {
        var meter = RateMeter()
        for frame in 0...250 { _ = meter.add(byteCount: 1_000, now: time(frame * 40)) }
        #expect(meter.rates(at: 11_900)?.frameRate == 25, "that may be one late frame")
        var last = 25.0
        for now in stride(from: 12_000, to: 15_000, by: 500) {
            let rate = try #require(meter.rates(at: time(now))).frameRate
            #expect(rate < last, "at \(now)")
            last = rate
        }
        #expect(meter.rates(at: 15_000) == .init(frameRate: 0, bitRate: 0))
        #expect(meter.rates(at: .distantFuture) == .init(frameRate: 0, bitRate: 0))
        for frame in 0..<200 { _ = meter.add(byteCount: 1_000, now: time(60_000 + frame * 40)) }
        #expect(meter.rates(at: 67_960)?.frameRate == 25, "and it comes back")
    }

    /// A still camera may send a frame every few seconds.
    @Test func slowTracksAreMeasured() {
        var meter = RateMeter()
        for frame in 0..<10 { _ = meter.add(byteCount: 1_000, now: time(frame * 1_500)) }
        #expect(abs((meter.rates(at: 13_600)?.frameRate ?? 0) - 0.67) < 0.01)
    }

    @Test func survivesAClockThatIsSet() {
        var meter = RateMeter()
        for frame in 0..<100 { _ = meter.add(byteCount: 1_000, now: time(frame * 40)) }
        #expect(meter.rates(at: -3_600_000) != nil)
        for frame in 0..<200 { _ = meter.add(byteCount: 1_000, now: time(-3_600_000 + frame * 40)) }
        #expect(meter.rates(at: -3_592_040)?.frameRate == 25)
    }
}

struct ViewerCounterTests {
    @Test func countsWhoAskedWithinTheWindow() {
        let viewers = ViewerCounter()
        viewers.saw(1, now: 0)
        viewers.saw(2, now: 5_000)
        viewers.saw(1, now: 10_000)
        #expect(viewers.count(now: 10_000) == 2)
        #expect(viewers.count(now: time(5_000) + ViewerCounter.window) == 1)
        #expect(viewers.count(now: time(10_000) + ViewerCounter.window) == 0)
    }

    /// The kind of a viewer's program is looked at once.
    @Test func viewersAreCountedByTheirPrograms() {
        let viewers = ViewerCounter()
        viewers.saw(1, now: 0, client: .browser)
        viewers.saw(2, now: 5_000, client: .apple)
        viewers.saw(1, now: 10_000, client: .other)
        #expect(viewers.clients(now: 10_000) == [.browser: 1, .apple: 1])
        #expect(viewers.clients(now: time(5_000) + ViewerCounter.window) == [.browser: 1])
    }

    @Test func viewersAreCountedForWhatTheyChose() {
        let viewers = ViewerCounter()
        func saw(_ key: UInt64, _ names: [String], _ now: WallClockTime) {
            for name in names { viewers.saw(key, variant: ViewedVariant(playlist: name), now: now) }
        }
        saw(1, ["playlist", "video", "audio"], 0)
        saw(2, ["playlist", "audio"], 0)
        saw(3, ["playlist", "ts"], 0)
        saw(4, ["playlist"], 0)
        saw(5, ["video", "iframes"], 0)
        saw(6, ["no such thing"], 0)
        let first = viewers.counts(now: 1_000)
        #expect(first.total == 6 && first.byVariant == .init(video: 2, audio: 1, ts: 1))
        // One goes over to audio alone, another from MPEG-TS to frames.
        saw(1, ["audio"], 15_000)
        saw(3, ["video"], 15_000)
        let second = viewers.counts(now: 15_000)
        #expect(second.byVariant == .init(video: 3, audio: 1, ts: 0))
        let third = viewers.counts(now: 21_000)
        #expect(third.total == 2 && third.byVariant == .init(video: 1, audio: 1, ts: 0))
        #expect(viewers.counts(now: 60_000).byVariant == .init())
    }

    @Test func isBounded() {
        let viewers = ViewerCounter()
        for key in 0..<UInt64(ViewerCounter.maximumViewerCount) { viewers.saw(key, now: 0) }
        viewers.saw(.max, now: 1)
        #expect(viewers.count(now: 1) == ViewerCounter.maximumViewerCount)
        viewers.saw(7, now: 2)
        viewers.saw(.max, now: .unixEpoch + ViewerCounter.window)
        #expect(viewers.count(now: .unixEpoch + ViewerCounter.window) == 2, "room is made by those who have gone")
    }

    /// A viewer asks under a new name each time; each request holds the lock that all viewers share.
    @Test func aCrowdThatIsNotCountedCostsNothing() {
        let viewers = ViewerCounter()
        for key in 0..<UInt64(ViewerCounter.maximumViewerCount) { viewers.saw(key, now: 0) }
        let elapsed = ContinuousClock().measure {
            for key in 0..<UInt64(5_000) { viewers.saw(1_000_000 + key, now: time(Int(key) / 10)) }
        }
        #expect(elapsed < .seconds(5))
    }

    @Test func aClockThatIsSetBackMakesNoViewersOfThoseWhoHaveGone() {
        let viewers = ViewerCounter()
        viewers.saw(1, variant: .video, now: 3_600_000)
        viewers.saw(2, variant: .video, now: 1_000)
        #expect(viewers.counts(now: 2_000).byVariant == .init(video: 1, audio: 0, ts: 0))
        #expect(viewers.count(now: 2_000) == 1)
    }
}
