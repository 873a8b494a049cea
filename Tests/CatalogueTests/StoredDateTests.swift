import Foundation
import TestSupport
import Testing

@testable import Catalogue

struct StoredDateTests {
    @Test(
        arguments: [
            (0, "1970-01-01 00:00:00.000"), (1_709_251_199_500, "2024-02-29 23:59:59.500"),
            (-1, "1969-12-31 23:59:59.999"),
            (951_782_400_000, "2000-02-29 00:00:00.000"), (-2_203_891_200_000, "1900-03-01 00:00:00.000"),
            (253_402_300_799_999, "9999-12-31 23:59:59.999"), (-62_167_219_200_000, "0000-01-01 00:00:00.000"),
        ] as [(Int64, String)])
    func isWrittenAndRead(milliseconds: Int64, text: String) {
        let date = StoredDate(Date(timeIntervalSince1970: Double(milliseconds) / 1_000))
        #expect(date.text == text)
        #expect(StoredDate(parsing: text)?.milliseconds == milliseconds)
    }

    @Test func agreesWithFoundation() throws {
        var random = SeededGenerator(seed: 5)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
        for _ in 0..<2_000 {
            let seconds = Int64.random(in: -2_000_000_000...200_000_000_000, using: &random)
            let date = Date(timeIntervalSince1970: Double(seconds))
            #expect(StoredDate(date).text == formatter.string(from: date) + ".000")
        }
    }

    @Test func timesOutsideTheFormatAreBroughtIntoIt() {
        for seconds in [Double.infinity, -.infinity, 1e300, -1e300] {
            let text = StoredDate(Date(timeIntervalSince1970: seconds)).text
            #expect(text.hasPrefix(seconds > 0 ? "9999-12-31" : "0000-01-01"))
        }
    }

    @Test(arguments: [
        "", "x", "2024", "2024-13-01 00:00", "2024-01-32 00:00", "2024-01-01 24:00", "2024-01-01 00:60",
        "99999-01-01 00:00:00", "2024-01-01 00:00:00.1234", "2024-01-01 00:00:99", "1-1-1-1-1-1-1-1",
    ])
    func garbageIsNotATime(text: String) { #expect(StoredDate(parsing: text) == nil) }
}
