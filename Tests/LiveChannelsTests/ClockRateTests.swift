import MediaCore
import NIOCore
import Packaging
import TestSupport
import Testing

@testable import LiveChannels

/// Publishers whose timestamps do not advance with time.
struct ClockRateTests {
    let clock = TestClock()

    /// Twice as fast, half as fast, and milliseconds that are declared as 90 kHz.
    @Test(arguments: [2, 0.5, 1.0 / 90], [true, false])
    func theChannelPlaysInRealTimeAndSaysWhatIsWrong(_ rate: Double, hasAudio: Bool) throws {
        let channel = TestMedia.channel(clock: clock)
        var settings = SyntheticPublisher.Settings()
        settings.videoClockRate = rate
        if !hasAudio { settings.audio = nil }
        let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        try publisher.begin()
        publisher.run(seconds: 40)
        let messages = channel.status().errors.map(\.message)
        #expect(messages.count { $0.contains("timestamps of the video track advance") } == 1, "\(messages)")
        let video = try #require(channel.window().rendition(named: "video"))
        let newest = try #require(video.listed.last)
        let end = newest.programDateTime + newest.duration
        #expect((clock.time - end).magnitude < .milliseconds(2_600), "\(clock.time - end)")
        // The edge moves on as time does.
        let number = newest.mediaSequence
        publisher.run(seconds: 20)
        let later = try #require(channel.window().rendition(named: "video")?.listed.last)
        let duration = later.programDateTime - newest.programDateTime
        #expect((duration - .seconds(20)).magnitude < .milliseconds(2_100), "\(duration)")
        #expect((8...12).contains(later.mediaSequence - number), "segments of two seconds")
        let open = (later.programDateTime + later.duration)
        #expect((clock.time - open) < .milliseconds(2_600) && (clock.time - open) > .milliseconds(-600))
    }

    /// The effect of a network or an encoder that catches up is not a clock.
    @Test func irregularArrivalIsNotTakenForAClock() {
        var random = SeededGenerator(seed: 3)
        var watch = ClockRateWatch()
        var (time, now) = (Int64(0), clock.time)
        for step in 0..<20_000 {
            time += 3_600
            // Minutes at full speed, then a backlog that comes at a changing pace.
            let pace = step % 3_000 < 2_000 ? 40.0 : Double.random(in: 4...60, using: &random)
            now = now + .milliseconds(Int64(pace))
            let verdict = watch.note(MediaTime(value: time, timescale: .video90kHz), arrivedAt: now)
            #expect(verdict == nil || verdict?.rate == 1, "\(step)")
        }
    }

    @Test func aPauseAndAClockThatIsSetAreNotMeasured() {
        var watch = ClockRateWatch()
        var (time, now) = (Int64(0), clock.time)
        for step in 0..<1_000 {
            time += 3_600
            now = now + .milliseconds(step % 100 == 99 ? (step % 200 == 199 ? -5_000 : 9_000) : 40)
            let verdict = watch.note(MediaTime(value: time, timescale: .video90kHz), arrivedAt: now)
            #expect(verdict == nil || verdict?.rate == 1, "\(step)")
        }
    }

    /// A clock that is right again is believed again.
    @Test func aClockThatIsSetRightIsBelieved() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 20)
        #expect(channel.status().errors.isEmpty)
        publisher.settings.videoClockRate = 2
        publisher.run(seconds: 20)
        publisher.settings.videoClockRate = 1
        publisher.run(seconds: 40)
        let messages = channel.status().errors.map(\.message)
        #expect(messages.last?.hasSuffix("advance with time again") == true, "\(messages)")
        let video = try #require(channel.window().rendition(named: "video"))
        #expect(video.listed.suffix(5).allSatisfy { abs($0.duration.seconds - 2) < 0.05 })
    }

    @Test(arguments: [Int64.min, -1, 0, .max] as [Int64]) func extremeTimesDoNotTrap(_ time: Int64) {
        let unit = AccessUnit(
            decodeTime: time, presentationTime: time, isRandomAccessPoint: true, payload: .frame(ByteBuffer()))
        for rate in [1e-9, 0.5, 1e9] {
            var scaling = TimestampScaling(rate: rate, lead: 1e18, after: unit, decodeTime: 0)
            var last = Int64(0)
            for next in [Int64.max, .min, 0, 5] {
                let scaled = scaling.scale(
                    AccessUnit(
                        decodeTime: next, presentationTime: .max, isRandomAccessPoint: true,
                        payload: .frame(ByteBuffer())))
                #expect(scaled.decodeTime >= last && scaled.presentationTime >= scaled.decodeTime)
                last = scaled.decodeTime
            }
        }
        var watch = ClockRateWatch()
        for step in 0..<100 {
            _ = watch.note(
                MediaTime(value: step % 2 == 0 ? time : 0, timescale: Timescale(1)),
                arrivedAt: clock.time + .seconds(step))
        }
    }
}
