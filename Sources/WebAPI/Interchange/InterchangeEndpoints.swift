import APIContract
import APIDeclarations
import Accounts
import CSVDocument
import Catalogue
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LibraryCore
import LibraryDetails
import MediaCore
import NIOCore
package import VideoClub
package import Workflows

/// The details and terms of titles, as a table that other programs read and write: `/api/v1/catalogue`.
package struct InterchangeEndpoints: Sendable {
    private let content: any ContentSource
    private let club: VideoClub

    /// - Parameters:
    ///   - content: the titles.
    ///   - club: what they cost.
    package init(content: any ContentSource, club: VideoClub) { (self.content, self.club) = (content, club) }

    /// Limits of an import; a larger one is sent in parts.
    static let maximumBodyByteCount = 4 * 1_024 * 1_024
    static let maximumEntryCount = 1_000
    /// Limit of the entries of which an answer says what is wrong with them.
    private static let maximumProblemCount = 100
    /// Titles that are read at once for a table.
    private static let batchSize = 200

    /// The forms of an export.
    private enum Format: String, CaseIterable {
        case json, csv
    }

    package var endpoints: [Endpoint] {
        [
            Endpoint(InterchangeAPI.exportCatalogue, .needs(.manage, .library)) { request, caller in
                switch try PageRequest.choice("format", in: request) ?? Format.json {
                case .json: return try await page(request, club)
                case .csv:
                    guard try PageRequest(request).cursor == nil else {
                        throw ProblemDetails(.unprocessableContent, "a table has all titles; it takes no cursor")
                    }
                    return try await table(club)
                }
            },
            Endpoint(InterchangeAPI.importCatalogue, .needs(.manage, .library), handler: change),
        ]
    }

    // MARK: Export

    private func page(_ request: Request, _ club: VideoClub) async throws -> Response {
        let page = try PageRequest(request)
        let (titles, terms) = try await read(after: page.cursor, limit: page.limit, club)
        let items = titles.items.map { InterchangeEntry.object($0, terms[$0.id] ?? TitleTerms()) }
        return APIPage(items, next: titles.next).response()
    }

    private func read(
        after cursor: String?, limit: Int, _ club: VideoClub
    ) async throws -> (ListPage<TitleRecord>, [String: TitleTerms]) {
        let titles = try await content.titles(RecordQuery(), after: cursor, limit: limit)
        return (titles, try await club.terms(ofTitles: titles.items.map(\.id)))
    }

    private func table(_ club: VideoClub) async throws -> Response {
        try await TableResponse.of("titles.csv", header: InterchangeEntry.columns) { cursor in
            let (titles, terms) = try await read(after: cursor, limit: Self.batchSize, club)
            return (
                titles.items.map { InterchangeEntry.cells($0, terms[$0.id] ?? TitleTerms()) }, titles.next
            )
        }
    }

    // MARK: Import

    /// The outcome of an import.
    private struct Report {
        var read = 0
        var changed = 0
        var problems: [(entry: Int, reason: String)] = []

        mutating func add(_ entry: Int, _ reason: String) {
            if problems.count < maximumProblemCount { problems.append((entry, reason)) }
        }

        var object: APIObject<CatalogueImportFields> {
            let problems = problems.map { problem in
                CatalogueProblemFields.object {
                    [
                        $0.entry(problem.entry),
                        $0.problem(UntrustedText.escaped(problem.reason, maximumCharacterCount: 500)),
                    ]
                }
            }
            return CatalogueImportFields.object { [$0.read(read), $0.changed(changed), $0.problems(problems)] }
        }
    }

    private func change(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        // A misspelt `trial` must not import.
        let isTrial = try PageRequest.flag("trial", in: request)
        var (report, trial) = (Report(), [String: TitleTerms]())
        for (number, entry) in try await entries(request) {
            report.read += 1
            do {
                let isChange =
                    isTrial
                    ? try await attempt(try entry.get(), club, &trial) : try await apply(try entry.get(), club, caller)
                if isChange { report.changed += 1 }
            } catch let refusal as InterchangeEntry.Refusal {
                report.add(number, refusal.reason)
            } catch let error as Refusal {
                report.add(number, error.reason)
            }
        }
        return report.object.response()
    }

    /// The entries of the body with their places in the list, or in the table after its header, from 1.
    private func entries(
        _ request: Request
    ) async throws -> [(number: Int, entry: Result<InterchangeEntry, InterchangeEntry.Refusal>)] {
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        let body = try await RequestBody.bytes(of: request, maximumByteCount: Self.maximumBodyByteCount)
        switch type {
        case "text/csv":
            return try Self.entries(ofTable: Array(body.readableBytesView), declared: request.declaredEncoding)
        case "application/json": return try Self.entries(of: try RequestBody.parsed(body))
        default:
            throw ProblemDetails(
                .unsupportedMediaType,
                "send a table with the header Content-Type: text/csv, or {\"items\": […]} with application/json")
        }
    }

    private static func entries(
        of node: JSONNode
    ) throws -> [(Int, Result<InterchangeEntry, InterchangeEntry.Refusal>)] {
        guard let items = node["items"]?.elements else {
            throw ProblemDetails(.badRequest, "the body must be {\"items\": […]}")
        }
        guard items.count <= maximumEntryCount else { throw tooMany }
        return items.enumerated().map { index, item in
            (index + 1, Result { () throws(InterchangeEntry.Refusal) in try InterchangeEntry(item) })
        }
    }

    private static func entries(
        ofTable bytes: [UInt8], declared: TextEncoding?
    ) throws -> [(Int, Result<InterchangeEntry, InterchangeEntry.Refusal>)] {
        let columnCount = InterchangeEntry.columns.count
        let rows: [CSVReader.Row]
        do {
            rows = try CSVReader(maximumRowCount: maximumEntryCount + 1, maximumFieldCount: columnCount)
                .rows(bytes, declared: declared)
        } catch {
            throw ProblemDetails(.badRequest, error.description)
        }
        guard let header = rows.first else { throw ProblemDetails(.badRequest, "the table is empty") }
        if let unknown = header.fields.first(where: { !InterchangeEntry.columns.contains($0) }) {
            let name = UntrustedText.escaped(unknown, maximumCharacterCount: 80)
            throw ProblemDetails(
                .unprocessableContent,
                "there is no column \"\(name)\"; there are \(InterchangeEntry.columns.joined(separator: ", "))")
        }
        return rows.dropFirst().enumerated().map { index, row in
            guard row.fields.count <= header.fields.count else {
                return (index + 1, .failure(.init(reason: "the row has more fields than the header")))
            }
            let cells = zip(header.fields, row.fields).map { (column: $0, text: $1) }
            return (index + 1, Result { () throws(InterchangeEntry.Refusal) in try InterchangeEntry(cells: cells) })
        }
    }

    private static let tooMany = ProblemDetails(
        .badRequest, "an import is limited to \(maximumEntryCount) entries; send it in parts")

    /// The differences that an entry makes.
    private struct Difference {
        var title: String
        var wishes = DetailWishes()
        var hasWishes = false
        var old: TitleTerms
        var new: TitleTerms

        var isEmpty: Bool { !hasWishes && new == old }
    }

    /// - Parameter trial: the terms of titles that entries before have changed in a trial.
    private func difference(
        _ entry: InterchangeEntry, _ club: VideoClub, after trial: [String: TitleTerms] = [:]
    ) async throws -> Difference {
        let (title, layers) = try await found(entry)
        let old: TitleTerms = if let known = trial[title] { known } else { try await club.terms(of: title) }
        var difference = Difference(title: title, old: old, new: old)
        let effective = layers.effective
        for field in entry.detailFields {
            switch entry.details[field] {
            case .set(let value) where effective[field] != value:
                (difference.wishes[field], difference.hasWishes) = (.set(value), true)
            case .reset where layers.chosen[field] != nil:
                (difference.wishes[field], difference.hasWishes) = (.reset, true)
            default: break
            }
        }
        entry.terms.apply(to: &difference.new)
        return difference
    }

    /// Checks an entry as if it and those before were imported.
    ///
    /// - Parameter trial: the terms of titles that entries before have changed.
    /// - Returns: whether something would be different.
    private func attempt(
        _ entry: InterchangeEntry, _ club: VideoClub, _ trial: inout [String: TitleTerms]
    ) async throws -> Bool {
        let difference = try await difference(entry, club, after: trial)
        if difference.new != difference.old {
            try await club.check(difference.new, of: difference.title, assuming: trial)
            trial[difference.title] = difference.new
        }
        return !difference.isEmpty
    }

    /// Changes what an entry says differently.
    ///
    /// - Returns: whether something is different.
    private func apply(
        _ entry: InterchangeEntry, _ club: VideoClub, _ caller: GatewayRequestContext
    ) async throws -> Bool {
        let difference = try await difference(entry, club)
        // First what may be refused.
        if difference.new != difference.old {
            _ = try await club.setTerms(of: difference.title, from: nil, by: caller.caller) {
                entry.terms.apply(to: &$0)
            }
        }
        if difference.hasWishes {
            _ = try await content.library.chooseDetails(of: difference.title, in: .titles, version: nil) {
                difference.wishes.apply(to: &$0)
            }
        }
        return !difference.isEmpty
    }

    /// The title that an entry is about.
    private func found(_ entry: InterchangeEntry) async throws -> (id: String, layers: DetailLayers) {
        if let id = entry.id {
            guard let layers = try await content.library.details(of: id, in: .titles) else {
                throw InterchangeEntry.Refusal(reason: "there is no title \"\(id)\"")
            }
            return (id, layers)
        }
        let file = entry.file ?? ""
        guard let title = try await content.title(file: file),
            let layers = try await content.library.details(of: title.id, in: .titles)
        else { throw InterchangeEntry.Refusal(reason: "there is no title with the file \"\(file)\"") }
        return (title.id, layers)
    }
}
