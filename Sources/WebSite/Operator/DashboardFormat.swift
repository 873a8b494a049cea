import Foundation
import SiteTexts

/// How the dashboard writes numbers, in the language of the page.
struct DashboardFormat {
    private let language: SiteLanguage

    init(_ page: SitePage) { language = page.text.siteLanguage }

    func bytes(_ count: Int64?) -> String {
        guard let count else { return "–" }
        let gigabytes = Double(count) / 1e9
        return gigabytes >= 1 ? "\(rounded(gigabytes)) GB" : "\(count / 1_000_000) MB"
    }

    static func bits(_ rate: Int) -> String { "\(rate / 1_000) kbit/s" }

    func rounded(_ number: Double) -> String {
        guard number.isFinite else { return "–" }
        let tenths = Int64((max(0, min(number, 1e12)) * 10).rounded())
        let text = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
        return text.replacing(".", with: language.decimalSeparator)
    }

    func hours(_ minutes: Int64) -> String { "\(rounded(Double(minutes) / 60)) h" }

    /// The date of a day since 1970.
    func date(ofDay day: Int64) -> String {
        Date(timeIntervalSince1970: Double(day) * 86_400).formatted(
            Date.FormatStyle(
                date: .abbreviated, time: .omitted, locale: Locale(identifier: language.locale), timeZone: .gmt))
    }
}
