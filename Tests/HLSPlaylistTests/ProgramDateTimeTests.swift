import HLSPlaylist
import Testing

struct ProgramDateTimeTests {
    /// Expected values from `date -u -d … +%s`.
    static let dates: [(Int64, String)] = [
        (0, "1970-01-01T00:00:00.000Z"),
        (1, "1970-01-01T00:00:00.001Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),  // 2000 is a leap year
        (951_868_799_999, "2000-02-29T23:59:59.999Z"),
        (951_868_800_000, "2000-03-01T00:00:00.000Z"),
        (1_709_210_096_789, "2024-02-29T12:34:56.789Z"),
        (1_735_689_599_000, "2024-12-31T23:59:59.000Z"),
        (1_735_689_600_000, "2025-01-01T00:00:00.000Z"),
        (1_740_787_200_000, "2025-03-01T00:00:00.000Z"),  // 2025 is not
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),  // neither is 2100
        (4_107_456_000_000, "2100-02-28T00:00:00.000Z"),
        (-2_203_977_600_000, "1900-02-28T00:00:00.000Z"),
        (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ]

    @Test(arguments: dates)
    func writesAndReadsKnownDates(_ milliseconds: Int64, _ text: String) {
        #expect(ProgramDateTime(millisecondsSince1970: milliseconds).description == text)
        #expect(ProgramDateTime(parsing: text)?.millisecondsSince1970 == milliseconds)
    }

    @Test func bearsWhatNoClockShows() {
        for milliseconds in [Int64.min, .min + 1, .max] {
            #expect(!ProgramDateTime(millisecondsSince1970: milliseconds).description.isEmpty)
        }
    }

    @Test func daysThroughFourCenturiesRoundTrip() {
        for day in stride(from: Int64(-25_567), through: 120_530, by: 5) {
            let date = ProgramDateTime(millisecondsSince1970: day * 86_400_000 + day.magnitude.remainder)
            #expect(ProgramDateTime(parsing: date.description) == date)
        }
    }

    @Test(
        arguments: [
            ("2024-02-29T13:34:56.789+01:00", 1_709_210_096_789), ("2024-02-29T07:04:56.789-05:30", 1_709_210_096_789),
            ("2024-02-29T12:34:56Z", 1_709_210_096_000), ("1970-01-01T00:00:00.0004Z", 0),
        ] as [(String, Int64)])
    func readsOffsets(_ text: String, _ milliseconds: Int64) {
        #expect(ProgramDateTime(parsing: text)?.millisecondsSince1970 == milliseconds)
    }

    @Test(arguments: [
        "", "T", "2024-02-29", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-32T00:00:00Z",
        "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:61Z", "2024-01-01T00:00Z",
        "2024-01-01T00:00:nanZ", "2024-01-01T00:00:00+1", "2024-01-01T00:00:00+99:99", "99999-01-01T00:00:00Z",
        "2024-01-01T00:00:00", "2023-02-29T00:00:00Z", "-2024-01-01T00:00:00Z", "2024-1-1T00:00:00Z",
    ])
    func refusesWhatIsNoDate(_ text: String) { #expect(ProgramDateTime(parsing: text) == nil) }
}

extension UInt64 {
    fileprivate var remainder: Int64 { Int64(self % 86_400) * 997 % 86_400_000 }
}
