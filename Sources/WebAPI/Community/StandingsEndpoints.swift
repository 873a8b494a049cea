import APIDeclarations
import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import MediaCore
import NIOCore

/// `/api/v1/competitions/{id}/standings`, as JSON or as comma-separated values.
struct StandingsEndpoints: Sendable {
    let context: CommunityContext

    /// Limit of a body: the texts, quotation marks, and separators.
    static let maximumBodyByteCount = 1_024 * 1_024
    private static let table = "text/csv"
    private static let example = "{\"header\": [\"Pos\", \"Driver\"], \"rows\": [[\"1\", \"Ana\"]]}"

    /// The forms of a table.
    private enum Format: String, CaseIterable {
        case json, csv
    }

    var endpoints: [Endpoint] {
        [
            Endpoint(CompetitionAPI.getStandings, CompetitionEndpoints.reads) { request, caller in
                let format: Format = try PageRequest.choice("format", in: request) ?? .json
                let (standings, competition) = try await context.community.standings(
                    of: try CompetitionEndpoints.identifier(caller))
                let tag = EntityTag(competition.revision).field
                switch format {
                case .json: return APIResources.standings(standings).response().adding(.eTag, tag)
                case .csv:
                    return Response(
                        status: .ok,
                        headers: [
                            .contentType: "text/csv; charset=utf-8; header=present", .cacheControl: "no-store",
                            .contentDisposition: "attachment; filename=\"standings.csv\"", .eTag: tag,
                        ], body: ResponseBody(byteBuffer: ByteBuffer(string: standings.csv)))
                }
            },
            Endpoint(CompetitionAPI.setStandings, CompetitionEndpoints.manages) { request, caller in
                let standings = try await Self.standings(in: request)
                let competition = try await context.community.setStandings(
                    standings, of: try CompetitionEndpoints.identifier(caller),
                    from: IfMatch.optional(in: request).revisions, by: caller.caller)
                return APIResources.standings(standings).response()
                    .adding(.eTag, EntityTag(competition.revision).field)
            },
        ]
    }

    /// - Throws: `ProblemDetails` or `Refusal`
    private static func standings(in request: Request) async throws -> Standings {
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        if type == table {
            let bytes = try await RequestBody.bytes(of: request, maximumByteCount: maximumBodyByteCount)
            return try Standings(csv: Array(bytes.readableBytesView), declared: request.declaredEncoding)
        }
        let body = try await RequestBody.body(
            of: request, example: "a table as text/csv, or \(example)", maximumByteCount: maximumBodyByteCount)
        guard body.members?.allSatisfy({ ["header", "rows"].contains($0.name) }) == true,
            let header = texts(body["header"]), let elements = body["rows"]?.elements
        else { throw wrong }
        return try Standings(
            header: header,
            rows: elements.map { row in
                guard let cells = texts(row) else { throw wrong }
                return cells
            })
    }

    private static let wrong = Refusal(
        .invalidField, "standings are written like \(example); all cells are strings", field: "standings")

    private static func texts(_ node: JSONNode?) -> [String]? {
        let texts = node?.elements?.map(\.string)
        return texts?.contains(nil) == false ? texts?.compactMap(\.self) : nil
    }
}
