import MediaCore
import NIOCore
import NIOEmbedded
import Packaging
import Testing
import TestSupport

@testable import LiveChannels

struct PresetComparisonTests {
    let clock = TestClock()
    private static let preset = QualityPreset(
        name: "medium", width: 854, height: 480, frameRate: 30, videoBitRate: 1_000_000, audioBitRate: 100_000)

    private func compare(
        size: (Int, Int)? = nil, video: (Double, Int)? = nil, audio: Int? = nil
    ) -> PresetComparison {
        PresetComparison(
            of: PresetComparison.Measurement(
                size: size.map { .init(width: $0.0, height: $0.1) },
                rates: video.map { .init(frameRate: $0.0, bitRate: $0.1) }),
            audio.map { PresetComparison.Measurement(rates: .init(frameRate: 47, bitRate: $0)) },
            against: Self.preset)
    }

    @Test(arguments: [
        (854, 480, PresetComparison.Verdict.kept), (848, 480, .kept), (640, 360, .below), (1_280, 720, .above),
        // Upright, and a frame of another shape: the longer side decides.
        (480, 854, .kept), (720, 1_280, .above), (1_280, 480, .above), (0, 0, .below),
    ])
    func sizes(width: Int, height: Int, expected: PresetComparison.Verdict) {
        #expect(compare(size: (width, height)).resolution.verdict == expected)
    }

    @Test(arguments: [
        (30.0, PresetComparison.Verdict.kept), (29.97, .kept), (27.0, .kept), (26.9, .below), (33.0, .kept),
        (33.1, .above), (0, .below),
    ])
    func frameRates(rate: Double, expected: PresetComparison.Verdict) {
        #expect(compare(video: (rate, 0)).frameRate.verdict == expected)
    }

    @Test(arguments: [
        (1_000_000, PresetComparison.Verdict.kept), (500_000, .kept), (499_999, .below), (1_100_000, .kept),
        (1_100_001, .above), (.max, .above), (0, .below),
    ])
    func bitRates(rate: Int, expected: PresetComparison.Verdict) {
        #expect(compare(video: (30, rate)).videoBitrate.verdict == expected)
    }

    @Test(arguments: [
        (100_000, PresetComparison.Verdict.kept), (50_000, .kept), (49_999, .below), (110_001, .above),
    ])
    func audioBitRates(rate: Int, expected: PresetComparison.Verdict) {
        #expect(compare(audio: rate).audioBitrate.verdict == expected)
    }

    @Test func whatIsNotMeasuredHasNoVerdict() {
        let comparison = compare()
        #expect(comparison.resolution.measured == nil && comparison.resolution.verdict == nil)
        #expect(comparison.frameRate.verdict == nil && comparison.videoBitrate.verdict == nil)
        #expect(comparison.audioBitrate.promised == 100_000 && comparison.audioBitrate.verdict == nil)
        #expect(comparison.isKept)
        #expect(!compare(size: (640, 360)).isKept)
    }

    @Test func theStatusHoldsThePushAgainstItsPreset() throws {
        let channel = TestMedia.channel(clock: clock)
        #expect(channel.status().presetComparison == nil)
        let publisher = SyntheticPublisher(channel, clock: clock)
        var description = TestMedia.publisher
        description.presetName = "low"
        try publisher.begin(description)
        publisher.run(seconds: 11)
        let comparison = try #require(channel.status().presetComparison)
        #expect(comparison.resolution.promised == .init(width: 426, height: 240))
        #expect(comparison.resolution.measured == .init(width: 640, height: 360))
        #expect(comparison.resolution.verdict == .above)
        #expect(comparison.frameRate.verdict == .kept && abs((comparison.frameRate.measured ?? 0) - 25) < 0.6)
        #expect(comparison.videoBitrate.promised == 400_000)
        #expect(comparison.audioBitrate.verdict == .above, "94 kbit/s where 64 are promised")
        publisher.end()
        #expect(channel.status().presetComparison == nil)
    }

    // MARK: Enforcing

    private func enforcing(_ isOn: Bool = true) -> LiveChannel {
        TestMedia.channel(clock: clock, publishing: PublishingPolicy(enforcesPreset: isOn))
    }

    @Test func aPushThatExceedsItsPresetIsEndedAfterTenSeconds() throws {
        let channel = enforcing()
        var settings = SyntheticPublisher.Settings()
        // 30 are promised: 36 is the most.
        settings.framesPerSecond = 40
        let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        try publisher.begin()
        publisher.run(seconds: 10.5)
        #expect(publisher.kicks.reasons.isEmpty)
        publisher.run(seconds: 2.5)
        let reason = try #require(publisher.kicks.reasons.first)
        #expect(reason == #"the push exceeds preset "medium": its frame rate is 40/s, but 30/s is promised"#)
        #expect(channel.status().errors.map(\.message) == [reason])
        publisher.run(seconds: 20)
        #expect(publisher.kicks.reasons.count == 1, "said once")
    }

    /// A publisher that ends its epoch from within a call of that epoch.
    private final class EndingPublisher: @unchecked Sendable {
        // One thread: the test's.
        var epoch: PublishingEpoch?
        var kickCount = 0

        func end(_ reason: String) {
            kickCount += 1
            epoch?.end(reason: reason, isIntended: true)
        }
    }

    @Test func aPushMayEndWithinTheKick() throws {
        let channel = enforcing()
        let ending = EndingPublisher()
        let epoch = try channel.beginPublishing(
            TestMedia.publisher,
            tracks: [PublishedTrack(track: TestMedia.videoTrack, configuration: TestMedia.video360)],
            on: EmbeddedEventLoop(), onKick: { ending.end($0) })
        ending.epoch = epoch
        for index in 0..<2_000 {
            clock.advance(by: .milliseconds(20))
            let time = Int64(index) * 1_800
            epoch.append(
                AccessUnit(
                    decodeTime: time, presentationTime: time, isRandomAccessPoint: index % 100 == 0,
                    payload: .frame(ByteBuffer(repeating: 0, count: 100))), trackID: 0)
        }
        #expect(ending.kickCount == 1)
        #expect(channel.status().publisher == nil && channel.status().state == .idle)
        let listed = try #require(channel.window().rendition(named: "video")?.listed)
        #expect((4...6).contains(listed.count), "what came until then")
    }

    @Test func shortExcessesAndSmallOnesAreBorneWith() throws {
        let channel = enforcing()
        var settings = SyntheticPublisher.Settings()
        settings.framesPerSecond = 35
        let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        try publisher.begin()
        publisher.run(seconds: 60)
        #expect(channel.status().presetComparison?.frameRate.verdict == .above)
        // 5 s of twice the bits in every 20.
        for _ in 0..<4 {
            publisher.settings.frameByteCount = 8_000
            publisher.run(seconds: 4)
            publisher.settings.frameByteCount = 1_000
            publisher.run(seconds: 16)
        }
        #expect(publisher.kicks.reasons.isEmpty)
    }

    @Test func nothingIsEndedWhereTheChannelDoesNotSaySo() throws {
        let channel = enforcing(false)
        var settings = SyntheticPublisher.Settings()
        settings.framesPerSecond = 60
        let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        try publisher.begin()
        publisher.run(seconds: 60)
        #expect(publisher.kicks.reasons.isEmpty && channel.status().errors.isEmpty)
    }

    @Test func whatWasNotMeasuredDoesNotCount() {
        var enforcement = PresetEnforcement()
        let tooMuch = compare(size: (1_920, 1_080))
        #expect(enforcement.check(tooMuch, preset: "medium", now: 0) == nil)
        #expect(enforcement.check(tooMuch, preset: "medium", now: 3_600_000) == nil, "the clock was set")
        #expect(enforcement.check(tooMuch, preset: "medium", now: 0) == nil)
        for second in 1..<10 {
            #expect(enforcement.check(tooMuch, preset: "medium", now: .unixEpoch + .seconds(second)) == nil)
        }
        let reason = enforcement.check(tooMuch, preset: "medium", now: 10_000)
        #expect(reason == #"the push exceeds preset "medium": its resolution is 1920x1080, but 854x480 is promised"#)
    }
}
