import Foundation
import MediaCore
import Testing

struct WallClockTimeTests {
    private let start = WallClockTime(millisecondsSince1970: 1_767_225_600_000)

    @Test func addsAndSubtractsDurations() {
        #expect((start + .seconds(2)).millisecondsSince1970 == 1_767_225_602_000)
        #expect((start - .milliseconds(1)).millisecondsSince1970 == 1_767_225_599_999)
        #expect(start + .microseconds(1_999) == start + .milliseconds(1), "parts of a millisecond do not count")
        #expect(start + .seconds(5) - start == .seconds(5))
        #expect(start - (start + .seconds(5)) == .seconds(-5))
        #expect((start + .seconds(5)).milliseconds(since: start) == 5_000)
        #expect(start + MediaTime(value: 180_045, timescale: .video90kHz) == start + .milliseconds(2_001))
        #expect(start - MediaTime(value: 90_000, timescale: .video90kHz) == start - .seconds(1))
    }

    /// Times and durations come from files and from peers.
    @Test(arguments: [Int64.min, -1, 0, 1, .max]) func extremesSaturate(milliseconds: Int64) {
        let time = WallClockTime(millisecondsSince1970: milliseconds)
        #expect(time + .seconds(Int64.max) == .distantFuture || milliseconds < 0)
        #expect((time - .seconds(Int64.max)).millisecondsSince1970 <= -.max || milliseconds > 0)
        #expect((time + .seconds(Int64.min)).millisecondsSince1970 == .min || milliseconds > 0)
        #expect(time - .seconds(Int64.min) == .distantFuture || milliseconds < 0)
        #expect(time.advanced(byMilliseconds: .max) >= time)
        _ = (time - .distantFuture, .distantFuture - time, time + MediaTime(value: .max, timescale: Timescale(1)))
        #expect(WallClockTime(Date(time)).millisecondsSince1970.distance(to: milliseconds).magnitude < 2_048)
        #expect(time.milliseconds(since: time) == 0)
    }

    @Test func secondsSaturate() {
        #expect(WallClockTime(secondsSince1970: 2) == WallClockTime(millisecondsSince1970: 2_000))
        #expect(WallClockTime(secondsSince1970: .max) == .distantFuture)
        #expect(WallClockTime(secondsSince1970: .min).millisecondsSince1970 == .min)
        #expect(WallClockTime(millisecondsSince1970: 1_999).secondsSince1970 == 1)
    }

    @Test func convertsToDatesAndBack() {
        #expect(Date(start) == Date(timeIntervalSince1970: 1_767_225_600))
        for milliseconds in Int64(0)..<2_000 {
            let time = start + .milliseconds(milliseconds)
            #expect(WallClockTime(Date(time)) == time)
        }
        #expect(WallClockTime(.distantFuture) > start && WallClockTime(.distantPast) < .unixEpoch)
        #expect(WallClockTime(Date(timeIntervalSince1970: .infinity)) == .distantFuture)
    }

    /// It stands in files.
    @Test func isCodedAsANumber() throws {
        #expect(String(decoding: try JSONEncoder().encode([start]), as: UTF8.self) == "[1767225600000]")
        #expect(try JSONDecoder().decode([WallClockTime].self, from: Data("[1767225600000]".utf8)) == [start])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([WallClockTime].self, from: Data("[1.5]".utf8))
        }
    }

    @Test func theSystemsClockTellsTheTime() {
        let (before, now, after) = (Date(), WallClock.system.now(), Date())
        #expect((WallClockTime(before)...WallClockTime(after)).contains(now))
    }

    @Test(
        arguments: [
            (Duration.milliseconds(1_500), 1_500), (.microseconds(1_999), 1), (.microseconds(-1_999), -1),
            (.seconds(Int64.max), .max), (.seconds(Int64.min), .min), (.zero, 0),
        ] as [(Duration, Int64)])
    func durationsHaveWholeMilliseconds(_ duration: Duration, _ expected: Int64) {
        #expect(duration.wholeMilliseconds == expected)
    }

    @Test func durationsConvert() {
        #expect(Duration(MediaTime(value: 45_000, timescale: .video90kHz)) == .milliseconds(500))
        #expect(Duration.milliseconds(250).seconds == 0.25)
        #expect(Duration.seconds(-3).magnitude == .seconds(3) && Duration.seconds(3).magnitude == .seconds(3))
    }
}
