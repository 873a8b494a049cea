import Accounts
import Hummingbird
import MediaCore
import Scoreboard

/// Results of matches as a table for spreadsheets, or as a text to read.
enum MatchResults {
    /// The forms of a list of matches.
    enum Format: String, CaseIterable, Sendable {
        case json, csv, txt
    }

    private static let columns = [
        "id", "date", "competition", "winner", "loser", "winnerCountries", "loserCountries", "score", "minutes",
        "channel",
        "rules",
    ]

    /// - Parameters:
    ///   - format: one of the forms for files.
    ///   - page: reads the page of results after a cursor; `nil` for the first.
    /// - Throws: errors of the first page.
    static func response(
        _ format: Format, page: @escaping @Sendable (String?) async throws -> (items: [MatchSummary], next: String?)
    ) async throws -> Response {
        guard format == .txt else {
            return try await TableResponse.of("results.csv", header: columns) { cursor in
                let (items, next) = try await page(cursor)
                return (items.map(row), next)
            }
        }
        return try await TableResponse.text("results.txt", type: "text/plain; charset=utf-8") { cursor in
            let (items, next) = try await page(cursor)
            return (items.map(text).joined(), next)
        }
    }

    /// The side that is named first: the winner, or the first one of a draw.
    private static func first(_ match: MatchSummary) -> MatchSide { match.winner ?? .a }

    private static func date(_ match: MatchSummary) -> String {
        CivilTime(millisecondsSince1970: (match.endedAt ?? match.createdAt).millisecondsSince1970).description
    }

    private static func minutes(_ match: MatchSummary) -> Int? {
        guard let start = match.startedAt, let end = match.endedAt else { return nil }
        return Int((end - start) / .seconds(60))
    }

    private static func row(_ match: MatchSummary) -> [String] {
        let (first, second) = (first(match), first(match).other)
        return [
            match.id.text, date(match), match.competition, match.names[first].joined(separator: " / "),
            match.names[second].joined(separator: " / "), match.countries[first].joined(separator: " / "),
            match.countries[second].joined(separator: " / "), match.scoreText, minutes(match).map { "\($0)" } ?? "",
            match.channel, match.rules,
        ]
    }

    /// Two lines: the sides and the score, and the circumstances.
    private static func text(_ match: MatchSummary) -> String {
        func side(_ side: MatchSide) -> String {
            let countries = match.countries[side].isEmpty ? "" : " (\(match.countries[side].joined(separator: " / ")))"
            return match.names[side].joined(separator: " / ") + countries
        }
        let (first, second) = (first(match), first(match).other)
        let facts = [date(match), match.competition, minutes(match).map { "\($0) min" } ?? ""].filter { !$0.isEmpty }
        return "\(side(first)) – \(side(second)): \(match.scoreText)\n    \(facts.joined(separator: ", "))\n"
    }
}
