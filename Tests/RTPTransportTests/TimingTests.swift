import MediaCore
import NIOCore
import Testing

@testable import RTPTransport

struct TimingTests {
    static let start = NIODeadline.uptimeNanoseconds(5_000_000_000)
    static let video = RTPTimeline.Clock(rate: 90_000, isReordered: true)
    static let audio = RTPTimeline.Clock(rate: 48_000, isReordered: false)
    /// Start of each timeline.
    static let videoStart: Int64 = 90_000
    static let audioStart: Int64 = 48_000

    @Test func extendsTimestampsBeyond32Bits() {
        var timeline = RTPTimeline(clocks: [Self.video])
        var timestamp = UInt32.max - 4_500
        for index in 0..<10 {
            let placement = timeline.place(
                rtpTimestamp: timestamp, trackIndex: 0, arrival: Self.start + .milliseconds(Int64(index) * 33))
            #expect(placement == RTPTimeline.Placement(mediaTime: Self.videoStart + Int64(index) * 3_000, jump: nil))
            timestamp &+= 3_000
        }
    }

    @Test func alignsTracksByArrivalWithoutReports() {
        var timeline = RTPTimeline(clocks: [Self.video, Self.audio])
        let first = timeline.place(rtpTimestamp: 77, trackIndex: 0, arrival: Self.start)
        let second = timeline.place(rtpTimestamp: 99, trackIndex: 1, arrival: Self.start + .milliseconds(500))
        #expect(first.mediaTime == Self.videoStart)
        #expect(second.mediaTime == Self.audioStart + 24_000)
    }

    static func report(_ milliseconds: Int64, _ rtpTimestamp: UInt32) -> RTCPSenderReport {
        RTCPSenderReport(
            source: 1,
            ntpTimestamp: NTPTimestamp(nanosecondsSince1970: 1_700_000_000_000_000_000 + milliseconds * 1_000_000),
            rtpTimestamp: rtpTimestamp)
    }

    @Test(arguments: [(0, 0), (-40, -1_920), (200, 9_600), (60_000, 14_400)] as [(Int64, Int64)])
    func alignsTracksBySenderReportsWhereTheyAreCredible(skew: Int64, expectedTicks: Int64) {
        var timeline = RTPTimeline(clocks: [Self.video, Self.audio])
        #expect(timeline.receive(Self.report(0, 5_000), trackIndex: 0) == nil)
        _ = timeline.receive(Self.report(skew, 7_000), trackIndex: 1)
        _ = timeline.place(rtpTimestamp: 5_000, trackIndex: 0, arrival: Self.start)
        let audio = timeline.place(rtpTimestamp: 7_000, trackIndex: 1, arrival: Self.start + .milliseconds(300))
        #expect(abs(audio.mediaTime - Self.audioStart - expectedTicks) <= 1)
    }

    @Test(
        arguments: [
            (2_700_000, true), (-450_000, true), (90_000, false), (-9_000, false), (-27, false),
        ] as [(Int32, Bool)])
    func absorbsJumpsOfThePublishersClock(step: Int32, isJump: Bool) {
        var timeline = RTPTimeline(clocks: [Self.video])
        _ = timeline.place(rtpTimestamp: 1_000_000, trackIndex: 0, arrival: Self.start)
        let placement = timeline.place(
            rtpTimestamp: 1_000_000 &+ UInt32(bitPattern: step), trackIndex: 0, arrival: Self.start + .milliseconds(40))
        #expect((placement.jump != nil) == isJump)
        #expect(placement.mediaTime == Self.videoStart + (isJump ? 3_600 : Int64(step)))
        let next = timeline.place(
            rtpTimestamp: 1_003_600 &+ UInt32(bitPattern: step), trackIndex: 0, arrival: Self.start + .milliseconds(80))
        #expect(next.jump == nil && next.mediaTime == placement.mediaTime + 3_600)
    }

    /// A publisher that announces the fastest possible clock and advances it as far as possible with each packet.
    @Test func aClockThatRunsAwayStopsTheLineInsteadOfOverflowing() {
        let bound = Int64(1) << 40
        let clock = RTPTimeline.Clock(rate: .max, isReordered: false)
        var timeline = RTPTimeline(clocks: [clock, Self.audio], maximumTicks: bound)
        var timestamp: UInt32 = 0
        var last: Int64 = 0
        for _ in 0..<2_000 {
            let placement = timeline.place(rtpTimestamp: timestamp, trackIndex: 0, arrival: Self.start)
            #expect(placement.mediaTime >= last && placement.mediaTime <= bound)
            last = placement.mediaTime
            timestamp &+= UInt32(Int32.max)
        }
        #expect(last == bound)
        // The other track's timeline is not affected.
        #expect(timeline.place(rtpTimestamp: 5, trackIndex: 1, arrival: Self.start).mediaTime == Self.audioStart)
    }

    @Test func aClockThatKeepsJumpingBackIsCountedFromAnew() {
        let bound = Int64(1) << 34
        var timeline = RTPTimeline(clocks: [Self.audio], maximumTicks: bound)
        var timestamp: UInt32 = 0
        var last = timeline.place(rtpTimestamp: timestamp, trackIndex: 0, arrival: Self.start).mediaTime
        for index in 1..<100 {
            timestamp &-= UInt32(Int32.max)
            let arrival = Self.start + .milliseconds(Int64(index) * 20)
            let placement = timeline.place(rtpTimestamp: timestamp, trackIndex: 0, arrival: arrival)
            #expect(placement.jump != nil)
            #expect(placement.mediaTime == last + 960)
            last = placement.mediaTime
        }
        timestamp &+= 960
        let after = timeline.place(rtpTimestamp: timestamp, trackIndex: 0, arrival: Self.start + .milliseconds(2_000))
        #expect(after == RTPTimeline.Placement(mediaTime: last + 960, jump: nil))
    }

    @Test func framesAfterALongSilenceDoNotOverflowDecodeTimes() {
        var estimator = DecodeTimeEstimator(reorderDepth: 16, frameDuration: .max)
        for time in [0, RTPTimeline.maximumTicks - 1, RTPTimeline.maximumTicks] {
            for _ in 0..<20 { #expect(estimator.next(presentationTime: time).presentationTime >= time) }
            estimator.restart()
        }
    }

    @Test func aPauseIsNoJump() {
        var timeline = RTPTimeline(clocks: [Self.audio])
        _ = timeline.place(rtpTimestamp: 0, trackIndex: 0, arrival: Self.start)
        let after = timeline.place(rtpTimestamp: 48_000 * 60, trackIndex: 0, arrival: Self.start + .seconds(60))
        #expect(after == RTPTimeline.Placement(mediaTime: Self.audioStart + 48_000 * 60, jump: nil))
    }

    /// Positions in presentation order, in the order of arrival.
    static let patterns: [(name: String, depth: Int, order: [Int])] = [
        ("no B", 0, Array(0..<24)),
        ("IBP", 1, [0] + stride(from: 2, through: 24, by: 2).flatMap { [$0, $0 - 1] }),
        ("IBBP", 1, [0] + stride(from: 3, through: 24, by: 3).flatMap { [$0, $0 - 2, $0 - 1] }),
        ("pyramid", 2, [0] + stride(from: 4, through: 24, by: 4).flatMap { [$0, $0 - 2, $0 - 3, $0 - 1] }),
    ]

    @Test(arguments: patterns.indices, [3_600, 3_003, 1_500] as [Int64])
    func derivesDecodeTimesFromTheReorderDepth(pattern: Int, duration: Int64) {
        let (_, depth, order) = Self.patterns[pattern]
        var estimator = DecodeTimeEstimator(reorderDepth: depth, frameDuration: duration)
        for (index, position) in order.enumerated() {
            let presentation = 90_000 + Int64(position) * duration
            let times = estimator.next(presentationTime: presentation)
            // Decode times are evenly spaced from the first frame, and are not adjusted if the stream keeps to its
            // announced depth.
            #expect(times.decodeTime == 90_000 + Int64(index - depth) * duration)
            #expect(times.presentationTime == presentation)
        }
        #expect(estimator.reorderDepth == depth)
    }

    @Test func survivesParameterSetsThatPromiseLessReordering() {
        var estimator = DecodeTimeEstimator(reorderDepth: 0, frameDuration: 3_600)
        var last = Int64.min
        for position in Self.patterns[3].order {
            let times = estimator.next(presentationTime: 90_000 + Int64(position) * 3_600)
            #expect(times.decodeTime > last && times.decodeTime <= times.presentationTime)
            last = times.decodeTime
        }
        #expect(estimator.reorderDepth <= 3)
    }

    @Test(arguments: 0..<20)
    func decodeTimesRiseWhateverComes(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        var estimator = DecodeTimeEstimator(reorderDepth: Int(seed % 5), frameDuration: 3_000)
        var last = Int64.min
        for _ in 0..<2_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let times = estimator.next(presentationTime: Int64(state >> 44))
            #expect(times.decodeTime > last && times.decodeTime <= times.presentationTime)
            last = times.decodeTime
        }
    }

    @Test func goesOnAfterAGap() {
        var estimator = DecodeTimeEstimator(reorderDepth: 2, frameDuration: 3_600)
        for index in 0..<10 { _ = estimator.next(presentationTime: 90_000 + Int64(index) * 3_600) }
        estimator.restart()
        let times = estimator.next(presentationTime: 900_000)
        #expect(times.decodeTime == 900_000 - 2 * 3_600)
    }
}
