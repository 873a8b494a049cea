import MediaCore
import Testing

struct NTPTimestampTests {
    /// Every millisecond is itself again, on both sides of the beginning of era 1.
    @Test(arguments: [946_684_800_000, 1_796_073_940_111, 2_085_978_495_999, 2_085_978_496_000, 2_500_000_000_123])
    func aTimeIsTheSameAgain(_ milliseconds: Int64) {
        for offset in 0..<Int64(1_000) {
            let time = WallClockTime(millisecondsSince1970: milliseconds + offset)
            #expect(NTPTimestamp(time).wallClockTime == time)
        }
    }

    @Test func theNanosecondsOfASenderReportAreTheSameTime() {
        let nanoseconds: Int64 = 1_796_073_940_250_000_000
        let timestamp = NTPTimestamp(nanosecondsSince1970: nanoseconds)
        #expect(timestamp == NTPTimestamp(WallClockTime(millisecondsSince1970: nanoseconds / 1_000_000)))
        #expect(timestamp.wallClockTime.millisecondsSince1970 == 1_796_073_940_250)
    }

    @Test(arguments: [Int64.min, -1, 0, .max]) func anyTimeHasATimestamp(_ milliseconds: Int64) {
        _ = NTPTimestamp(WallClockTime(millisecondsSince1970: milliseconds)).wallClockTime
    }
}
