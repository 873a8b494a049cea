import MediaCore
import Testing

struct MediaTimeTests {
    struct Conversion: Sendable {
        var value: Int64
        var from: UInt32
        var to: UInt32
        var expected: Int64
    }

    @Test(arguments: [
        Conversion(value: 90_000, from: 90_000, to: 1_000, expected: 1_000),
        Conversion(value: 1, from: 90_000, to: 48_000, expected: 1),  // 0.533 rounds up
        Conversion(value: 1, from: 2, to: 1, expected: 1),  // a half, away from zero
        Conversion(value: -1, from: 2, to: 1, expected: -1),
        Conversion(value: 1, from: 3, to: 1, expected: 0),
        Conversion(value: 3_003, from: 90_000, to: 1_000_000, expected: 33_367),
        Conversion(value: 0, from: 1, to: .max, expected: 0),
        Conversion(value: .max, from: 1, to: .max, expected: .max),
        Conversion(value: .min, from: 1, to: .max, expected: .min),
        Conversion(value: .max, from: .max, to: 1, expected: 2_147_483_648),
        Conversion(value: .max, from: 7, to: 7, expected: .max),
    ])
    func convertsToTheNearestTick(_ conversion: Conversion) {
        let time = MediaTime(value: conversion.value, timescale: Timescale(conversion.from))
        #expect(time.converted(to: Timescale(conversion.to)).value == conversion.expected)
    }

    @Test(
        arguments: [
            (0.5, 90_000, 45_000), (-0.5, 90_000, -45_000), (0.0000055, 90_000, 0), (1.0 / 3, 3, 1),
            (Double.infinity, 1, Int64.max), (-Double.infinity, 1, .min), (Double.nan, 1, 0), (1e300, 1, .max),
        ] as [(Double, UInt32, Int64)])
    func takesSecondsAndSaturates(_ seconds: Double, _ rate: UInt32, _ expected: Int64) {
        #expect(MediaTime(seconds: seconds, timescale: Timescale(rate)).value == expected)
    }

    @Test func addsAndSubtractsOnTheLeftClock() {
        let second = MediaTime(value: 48_000, timescale: Timescale(48_000))
        let half = MediaTime(value: 45_000, timescale: .video90kHz)
        #expect((second + half).value == 72_000)
        #expect((half - second).value == -45_000)
        #expect((second + half).timescale == Timescale(48_000))
    }

    @Test func saturatesInsteadOfTrapping() {
        let latest = MediaTime(value: .max, timescale: .milliseconds)
        let earliest = MediaTime(value: .min, timescale: .milliseconds)
        let one = MediaTime(value: 1, timescale: .milliseconds)
        #expect((latest + one).value == .max)
        #expect((earliest - one).value == .min)
        #expect((earliest - latest).value == .min)
        #expect((latest - earliest).value == .max)
        #expect(Int64.max.addingSaturating(.max) == .max)
        #expect(Int64.min.addingSaturating(-1) == .min)
        #expect(Int64.zero.subtractingSaturating(.min) == .max)
    }

    @Test func equalTimesOnDifferentClocksAreEqualAndHashAlike() {
        let times = [(1, 1), (90_000, 90_000), (48_000, 48_000), (4_294_967_295, 4_294_967_295)].map {
            MediaTime(value: Int64($0.0), timescale: Timescale(UInt32($0.1)))
        }
        #expect(Set(times).count == 1)
        let zeros = [1, 1_000, 90_000].map { MediaTime.zero(Timescale($0)) }
        #expect(Set(zeros).count == 1)
        #expect(
            Set([MediaTime(value: .min, timescale: Timescale(2)), MediaTime(value: .min / 2, timescale: Timescale(1))])
                .count == 1)
    }

    @Test func comparesExactlyWhereDoublesCannot() {
        let large = MediaTime(value: .max - 1, timescale: Timescale(90_000))
        let larger = MediaTime(value: .max, timescale: Timescale(90_000))
        #expect(large < larger)
        #expect(large.seconds == larger.seconds)
        // Compares 1/3 s with 0.333333 s.
        #expect(MediaTime(value: 333_333, timescale: .microseconds) < MediaTime(value: 1, timescale: Timescale(3)))
        #expect(MediaTime(value: -1, timescale: Timescale(3)) < MediaTime(value: -333_333, timescale: .microseconds))
        #expect(MediaTime(value: .min, timescale: Timescale(1)) < MediaTime(value: .max, timescale: Timescale(.max)))
    }

    @Test func aTimescaleFromOutsideIsNeverZero() {
        #expect(Timescale(checking: 0) == nil)
        #expect(Timescale(checking: 600)?.ticksPerSecond == 600)
    }
}
