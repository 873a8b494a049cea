import Foundation
import MediaCore

/// A text of a page with points in time in it, which the script shows in the visitor's time zone; without the script
/// they are in UTC, because the server does not know where its visitors are.
///
/// A string literal with such a text in it is one, too: `let line: PageText = "\(text.until) \(text.time(end))"`.
struct PageText: Sendable, Hashable, ExpressibleByStringInterpolation {
    fileprivate enum Part: Sendable, Hashable {
        case words(String)
        case time(WallClockTime, String, isRelative: Bool)
    }

    private var parts: [Part]

    /// Limit of the words between two times, longer than any line of a page.
    private static let maximumPartCharacterCount = 10_000

    init(_ words: String) { parts = words.isEmpty ? [] : [.words(words)] }

    init(stringLiteral value: String) { self.init(value) }

    init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    /// A point in time, in the format of all pages.
    ///
    /// - Parameters:
    ///   - time: the point in time.
    ///   - locale: the identifier of the locale of the page's language.
    ///   - isRelative: whether the script shows a point near to now by its distance, such as "5 minutes ago".
    init(_ time: WallClockTime, locale: String, isRelative: Bool = false) {
        let style = Date.FormatStyle(
            date: .abbreviated, time: .shortened, locale: Locale(identifier: locale), timeZone: .gmt)
        parts = [.time(time, "\(Date(time).formatted(style)) UTC", isRelative: isRelative)]
    }

    /// Several texts one after the other; those that are `nil` are left out.
    init(joining texts: [PageText?], with separator: String) {
        parts = Array(texts.compactMap(\.self).map(\.parts).joined(separator: [.words(separator)]))
    }

    /// The text with its times in UTC.
    var plain: String {
        parts.map { part in
            switch part {
            case .words(let text), .time(_, let text, _): text
            }
        }.joined()
    }

    /// The values of the template `words`, one for each part.
    var values: [[String: Any]] {
        parts.map { part in
            switch part {
            case .words(let text):
                ["words": UntrustedText.stripped(text, maximumCharacterCount: Self.maximumPartCharacterCount)]
            case .time(let time, let text, let isRelative):
                [
                    "instant": [
                        "date": Date(time).formatted(.iso8601), "shown": text, "isRelative": isRelative,
                    ] as [String: Any]
                ]
            }
        }
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.words(literal)) }
        }

        mutating func appendInterpolation(_ text: PageText) { parts += text.parts }

        mutating func appendInterpolation(_ value: some CustomStringConvertible) { appendLiteral("\(value)") }
    }
}
