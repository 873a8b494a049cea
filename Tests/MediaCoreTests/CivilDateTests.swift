import MediaCore
import Testing

struct CivilDateTests {
    @Test(
        arguments: [
            ("2026-07-17", 2026, 7, 17), ("2024-02-29", 2024, 2, 29), ("0001-01-01", 1, 1, 1),
            ("9999-12-31", 9999, 12, 31),
        ] as [(String, Int64, Int64, Int64)])
    func datesAreReadAndWritten(_ text: String, _ year: Int64, _ month: Int64, _ day: Int64) {
        let date = CivilDate(year: year, month: month, day: day)
        #expect(CivilDate(parsing: text) == date)
        #expect(date.description == text)
    }

    @Test(arguments: [
        "", "2026-7-17", "2026-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "0000-01-01", "2026-07-17T00:00:00Z",
        "-026-07-17", "2026-07-+1", "２０２６-07-17", "20260717", "2026-07-17-",
    ])
    func whatIsNotADateIsRefused(_ text: String) { #expect(CivilDate(parsing: text) == nil) }
}
