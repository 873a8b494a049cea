import HLSPlaylist
import MediaCore
import NIOCore
import Packaging
import Testing
import TestSupport

@testable import LiveChannels

struct ProgramClockTests {
    let clock = TestClock()
    private static let start = TestClock.start

    private func unit(_ seconds: Int64) -> AccessUnit {
        AccessUnit(
            decodeTime: seconds * 90_000, presentationTime: seconds * 90_000, isRandomAccessPoint: true,
            payload: .frame(ByteBuffer()))
    }

    private func segment(_ number: Int, at date: WallClockTime) -> LiveSegmentHeader {
        LiveSegmentHeader(
            mediaSequence: number, programDateTime: date, isDiscontinuous: false, initializationNumber: 0, epoch: "e")
    }

    private static func nanoseconds(_ time: WallClockTime) -> Int64 { time.millisecondsSince1970 * 1_000_000 }

    /// Sends a report.
    ///
    /// - Parameters:
    ///   - offset: the time from the arrival of a frame to its capture.
    ///   - seconds: the time of the report.
    ///   - error: the time by which the publisher's clock is ahead.
    ///   - transit: the time that the report is on its way.
    /// - Returns: the time by which the clock seems to be ahead.
    @discardableResult
    private func report(
        _ clock: inout ProgramClock, offset: Duration, at seconds: Int64, error: Duration = .zero,
        transit: Duration = .zero, roundTrip: Duration? = nil
    ) -> Duration {
        clock.report(
            nanosecondsSince1970: Self.nanoseconds(Self.start + .seconds(seconds) + error),
            mediaTime: MediaTime(
                value: (seconds * 1_000 - offset.wholeMilliseconds) * 48, timescale: Timescale(48_000)),
            now: Self.start + .seconds(seconds) + transit, roundTrip: roundTrip)
    }

    private func firstDate(_ clock: inout ProgramClock) -> Duration {
        clock.follow(unit(0), timescale: .video90kHz, arrivedAt: Self.start, hasJumped: false)
        return clock.date(segment(0, at: Self.start), of: .video, isLeading: true) - Self.start
    }

    // MARK: Wrong clocks

    /// The date is that of the capture on our clock, however wrong the publisher's is.
    @Test(arguments: [-86_400_000, -5_000, -800, 0, 800, 5_000, 1_000_000_000_000] as [Int64], [0, -700] as [Int64])
    func theErrorOfThePublishersClockIsFound(error: Int64, offset: Int64) {
        var clock = ProgramClock()
        let told = report(&clock, offset: .milliseconds(offset), at: 0, error: .milliseconds(error))
        #expect(told == .milliseconds(error), "and is shown")
        #expect(firstDate(&clock) == .milliseconds(offset))
    }

    /// Cameras that are set by the network agree with each other; the way of a report says less than their clocks.
    @Test(arguments: [-49, -20, 20, 49] as [Int64])
    func aClockThatIsNearCountsAsRight(error: Int64) {
        var clock = ProgramClock()
        report(&clock, offset: .milliseconds(-300), at: 0, error: .milliseconds(error))
        #expect(firstDate(&clock) == .milliseconds(error - 300))
    }

    @Test func theWayOfAReportIsNotAnErrorOfTheClock() {
        for transit in [Duration.milliseconds(180), .milliseconds(900)] {
            var clock = ProgramClock()
            report(&clock, offset: .milliseconds(-900), at: 0, transit: transit, roundTrip: transit * 2)
            #expect(firstDate(&clock) == .milliseconds(-900))
        }
        // Beside a long way, a wrong clock is found all the same.
        var clock = ProgramClock()
        report(
            &clock, offset: .milliseconds(-900), at: 0, error: .seconds(5), transit: .milliseconds(180),
            roundTrip: .milliseconds(360))
        #expect(firstDate(&clock) == .milliseconds(-900))
    }

    /// Of several reports the one counts that was under way for the shortest time; then the clock may be set.
    @Test func aReportThatWaitedOnItsWayDoesNotCount() {
        var error = PublisherClockError()
        error.note(ahead: .milliseconds(-400), roundTrip: nil)
        #expect(error.value == .milliseconds(-400))
        error.note(ahead: .milliseconds(-30), roundTrip: nil)
        error.note(ahead: .milliseconds(-700), roundTrip: nil)
        #expect(error.value == .zero)
        for _ in 0..<8 { error.note(ahead: .seconds(-60), roundTrip: .seconds(3_600)) }
        #expect(error.value == .seconds(-59), "the allowance has a limit")
    }

    @Test func aChannelsDelayCountsWhereNobodySaysMore() {
        var clock = ProgramClock(captureDelay: .milliseconds(1_500))
        #expect(firstDate(&clock) == .milliseconds(-1_500))
        clock = ProgramClock(captureDelay: .milliseconds(1_500))
        report(&clock, offset: .milliseconds(-300), at: 0)
        #expect(firstDate(&clock) == .milliseconds(-300))
        // What nobody can believe says nothing.
        clock = ProgramClock(captureDelay: .milliseconds(1_500))
        report(&clock, offset: .milliseconds(-10_001), at: 0)
        #expect(firstDate(&clock) == .milliseconds(-1_500))
    }

    @Test func aTimeOfCaptureOnOurClockIsFollowed() {
        var clock = ProgramClock(captureDelay: .milliseconds(1_500))
        clock.captured(MediaTime(value: 0, timescale: .milliseconds), at: Self.start - .milliseconds(400))
        #expect(firstDate(&clock) == .milliseconds(-400))
        for date in [Int64.min, 0, .max] {
            var clock = ProgramClock()
            clock.captured(
                MediaTime(value: 0, timescale: .microseconds), at: WallClockTime(millisecondsSince1970: date))
            #expect(firstDate(&clock) == .zero)
        }
    }

    // MARK: In an epoch

    @Test func aReportBeforeTheFirstSegmentIsFollowedAtOnce() {
        for isEarly in [true, false] {
            var clock = ProgramClock()
            if isEarly { #expect(report(&clock, offset: .milliseconds(-700), at: 0) == .zero) }
            clock.follow(unit(0), timescale: .video90kHz, arrivedAt: Self.start, hasJumped: false)
            if !isEarly { #expect(report(&clock, offset: .milliseconds(-700), at: 1) == .zero) }
            let date = clock.date(segment(0, at: Self.start), of: .video, isLeading: true)
            #expect(date == Self.start - .milliseconds(700))
            #expect(
                clock.date(segment(0, at: Self.start + .milliseconds(5)), of: .audio, isLeading: false) == Self.start
                    - .milliseconds(695))
            #expect(
                clock.date(segment(1, at: Self.start + .milliseconds(2_000)), of: .video, isLeading: true) == Self.start
                    + .milliseconds(1_300))
        }
    }

    @Test func theOthersFirstPartMayComeFirst() {
        var clock = ProgramClock()
        _ = report(&clock, offset: .milliseconds(-700), at: 0)
        clock.follow(unit(0), timescale: .video90kHz, arrivedAt: Self.start, hasJumped: false)
        #expect(
            clock.date(segment(0, at: Self.start + .milliseconds(5)), of: .audio, isLeading: false) == Self.start
                - .milliseconds(695))
        #expect(clock.date(segment(0, at: Self.start), of: .video, isLeading: true) == Self.start - .milliseconds(700))
        #expect(
            clock.date(segment(0, at: Self.start + .milliseconds(9_999)), of: .audio, isLeading: false) == Self.start
                - .milliseconds(695))
    }

    /// Within an epoch, dates follow durations to the millisecond, whatever the reports say, as long as that is near.
    @Test(arguments: [-100, -37, 0, 1, 63, 100] as [Int64])
    func aLaterReportThatIsNearChangesNothing(offset: Int64) {
        var clock = ProgramClock()
        clock.follow(unit(0), timescale: .video90kHz, arrivedAt: Self.start, hasJumped: false)
        _ = clock.date(segment(0, at: Self.start), of: .video, isLeading: true)
        for number in 1..<100 {
            _ = report(&clock, offset: .milliseconds(number % 3 == 0 ? 0 : offset), at: 3)
            let packagerDate = Self.start + .seconds(2 * number)
            #expect(clock.date(segment(number, at: packagerDate), of: .video, isLeading: true) == packagerDate)
        }
        // A discontinuity is the place to correct it, unless dates would go back.
        _ = report(&clock, offset: .milliseconds(offset), at: 3)
        var next = segment(100, at: Self.start + .seconds(200))
        next.isDiscontinuous = true
        #expect(
            clock.date(next, of: .video, isLeading: true) == Self.start + .seconds(200)
                + .milliseconds(max(0, offset)))
    }

    @Test(arguments: [-9_000, 3_000] as [Int64], [2, 6])
    func aLaterReportThatIsFarIsApproachedByMilliseconds(offset: Int64, seconds: Int) {
        var clock = ProgramClock()
        clock.follow(unit(0), timescale: .video90kHz, arrivedAt: Self.start, hasJumped: false)
        #expect(clock.date(segment(0, at: Self.start), of: .video, isLeading: true) == Self.start)
        _ = report(&clock, offset: .milliseconds(offset), at: 3)
        var last = Self.start
        var correctionCount = 0
        let step = Duration.seconds(seconds)
        for number in 1..<1_000 {
            let packagerDate = Self.start + .seconds(seconds * number)
            let date = clock.date(segment(number, at: packagerDate), of: .video, isLeading: true)
            #expect((date - last - step).magnitude <= .milliseconds(1))
            if date - last != step { correctionCount += 1 }
            // A follower two segments behind has the correction of its own segment.
            if number > 2 {
                let audio = clock.date(
                    segment(number - 2, at: packagerDate - step - step), of: .audio, isLeading: false)
                #expect((audio - (date - step - step)).magnitude <= .milliseconds(2))
            }
            last = date
        }
        #expect(correctionCount == (seconds == 2 ? 499 : 999))
        #expect((last - (Self.start + .seconds(seconds * 999))).magnitude == .milliseconds(correctionCount))
    }

    /// A publisher whose crystal is off by 100 parts in a million stays within the tolerance for hours.
    @Test func aDriftingClockIsFollowed() {
        var clock = ProgramClock()
        clock.follow(unit(0), timescale: .video90kHz, arrivedAt: Self.start, hasJumped: false)
        for number in 0..<20_000 {
            let packagerDate = Self.start + .seconds(2 * number)
            let drift = Duration.milliseconds(2 * number / 10)
            clock.follow(unit(Int64(2 * number)), timescale: .video90kHz, arrivedAt: packagerDate, hasJumped: false)
            _ = clock.report(
                nanosecondsSince1970: Self.nanoseconds(packagerDate + drift),
                mediaTime: MediaTime(value: Int64(number) * 2_000, timescale: .milliseconds), now: packagerDate + drift)
            let date = clock.date(segment(number, at: packagerDate), of: .video, isLeading: true)
            #expect((packagerDate + drift - date).magnitude <= .milliseconds(ProgramClock.tolerance + 1))
        }
    }

    /// A plausible time of day beside a media time from anywhere: what a damaged or forged report says.
    @Test(arguments: [-30_001, 30_002, .max, .min] as [Int64])
    func aReportAboutAnotherTimeIsPassedOver(milliseconds: Int64) {
        var clock = ProgramClock()
        clock.follow(unit(0), timescale: .video90kHz, arrivedAt: Self.start, hasJumped: false)
        _ = clock.report(
            nanosecondsSince1970: Self.nanoseconds(Self.start),
            mediaTime: MediaTime(value: milliseconds, timescale: .milliseconds), now: Self.start)
        #expect(clock.date(segment(0, at: Self.start), of: .video, isLeading: true) == Self.start)
    }

    @Test func extremeTimesDoNotTrap() {
        for time in [Int64.min, -1, 0, .max] {
            var clock = ProgramClock()
            let unit = AccessUnit(
                decodeTime: time, presentationTime: time, isRandomAccessPoint: true, payload: .frame(ByteBuffer()))
            clock.follow(unit, timescale: .video90kHz, arrivedAt: Self.start, hasJumped: false)
            clock.follow(unit, timescale: Timescale(1), arrivedAt: Self.start, hasJumped: true)
            for mediaTime in [Int64.min, .max] {
                _ = clock.report(
                    nanosecondsSince1970: Self.nanoseconds(Self.start),
                    mediaTime: MediaTime(value: mediaTime, timescale: Timescale(1)), now: Self.start)
                _ = clock.date(segment(0, at: Self.start), of: .video, isLeading: true)
                _ = clock.date(segment(1, at: WallClockTime(millisecondsSince1970: time)), of: .video, isLeading: true)
            }
        }
    }

    /// The media clock jumped and playback went on: what a report says of the new line holds.
    @Test func aJumpOfTheMediaClockDoesNotMoveTheDates() {
        var clock = ProgramClock()
        clock.follow(unit(0), timescale: .video90kHz, arrivedAt: Self.start, hasJumped: false)
        _ = report(&clock, offset: .milliseconds(500), at: 0)
        _ = clock.date(segment(0, at: Self.start), of: .video, isLeading: true)
        clock.follow(unit(2), timescale: .video90kHz, arrivedAt: Self.start + .milliseconds(2_000), hasJumped: false)
        clock.follow(unit(602), timescale: .video90kHz, arrivedAt: Self.start + .milliseconds(2_000), hasJumped: true)
        #expect(
            clock.date(segment(1, at: Self.start + .milliseconds(2_000)), of: .video, isLeading: true) == Self.start
                + .milliseconds(2_500))
        _ = clock.report(
            nanosecondsSince1970: Self.nanoseconds(Self.start + .milliseconds(4_500)),
            mediaTime: MediaTime(value: 604_000, timescale: .milliseconds), now: Self.start + .milliseconds(4_500))
        #expect(
            clock.date(segment(2, at: Self.start + .milliseconds(4_000)), of: .video, isLeading: true) == Self.start
                + .milliseconds(4_500))
    }

    // MARK: In a channel

    @Test func programDatesFollowThePublishersClock() throws {
        let channel = TestMedia.channel(clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 0.25)
        publisher.epoch?.setWallClock(
            nanosecondsSince1970: Self.nanoseconds(Self.start + .milliseconds(250 + 1_250)),
            mediaTime: MediaTime(value: 12_000 + 48 * 750, timescale: Timescale(48_000)), trackID: 1)
        #expect(channel.status().publisher?.clockOffset == 1.25)
        publisher.run(seconds: 30)
        observer.loadAll()
        let video = try #require(observer.load("video"))
        #expect(
            video.segments.first?.programDateTime.map { ($0 - Self.start.millisecondsSince1970 + 750) % 2_000 } == 0)
        publisher.epoch?.setWallClock(
            nanosecondsSince1970: 0, mediaTime: MediaTime(value: 0, timescale: .milliseconds), trackID: 99)
        #expect(channel.status().publisher?.clockOffset == 1.25, "no track of its")
    }

    /// A publisher that is ahead and one that is not: dates never go back while both are in the window.
    @Test func theNextPushIsNotDatedBeforeTheLast() throws {
        let channel = TestMedia.channel(clock: clock)
        let observer = PlaylistObserver(channel, clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        for offset in [8_000, -8_000, 0] as [Int64] {
            try publisher.begin()
            let now = clock.time
            publisher.epoch?.setWallClock(
                nanosecondsSince1970: Self.nanoseconds(now),
                mediaTime: MediaTime(value: -offset, timescale: .milliseconds), trackID: 0)
            for _ in 0..<16 {
                publisher.run(seconds: 0.5)
                observer.loadAll()
            }
            publisher.end()
            observer.loadAll()
            clock.advance(by: .milliseconds(500))
        }
        let dates = try #require(observer.load("video")).segments.compactMap(\.programDateTime)
        #expect(dates.count > 8 && dates == dates.sorted())
    }
}
