import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import NIOCore
import Scoreboard
import Workflows

/// Results of matches as a table for spreadsheets, as a text to read, or as pages to print.
enum MatchResults {
    /// The forms of a list of matches.
    enum Format: String, CaseIterable, Sendable {
        case json, csv, txt, pdf
    }

    private static let columns = [
        "id", "date", "competition", "winner", "loser", "winnerCountries", "loserCountries", "score", "minutes",
        "channel",
        "rules",
    ]

    /// - Parameters:
    ///   - format: csv or txt.
    ///   - page: reads the page of results after a cursor; `nil` for the first.
    /// - Throws: errors of the first page.
    static func response(
        _ format: Format, page: @escaping MatchPages
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

    /// A PDF file of the newest results.
    ///
    /// - Parameters:
    ///   - publishing: makes the file.
    ///   - content: the words of the document; `matches` is filled in.
    ///   - caller: who asks for it.
    ///   - page: reads the page of results after a cursor; `nil` for the first.
    static func pdf(
        _ publishing: ResultPublishing, _ content: ResultDocuments.Content, for caller: GatewayRequestContext,
        page: @escaping MatchPages
    ) async throws -> Response {
        let bytes = try await publishing.pdf(content, for: caller.uploadSender, page: page)
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/pdf", .cacheControl: "no-store",
                .contentDisposition: "inline; filename=\"results.pdf\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private static func row(_ match: MatchSummary) -> [String] {
        let (first, second) = (match.firstSide, match.firstSide.other)
        return [
            match.id.text, match.resultTime.description, match.competition, match.name(of: first),
            match.name(of: second), match.countries[first].joined(separator: " / "),
            match.countries[second].joined(separator: " / "), match.scoreText, match.minutes.map { "\($0)" } ?? "",
            match.channel, match.rules,
        ]
    }

    /// Two lines: the sides and the score, and the circumstances.
    private static func text(_ match: MatchSummary) -> String {
        let facts = [match.resultTime.description, match.competition, match.minutes.map { "\($0) min" } ?? ""]
            .filter { !$0.isEmpty }
        let sides = [match.firstSide, match.firstSide.other].map(match.nameWithCountries).joined(separator: " – ")
        return "\(sides): \(match.scoreText)\n    \(facts.joined(separator: ", "))\n"
    }
}
