import APIContract
import APIDeclarations
import Accounts
import Events
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import MediaCore
import Scoreboard
import Workflows

/// `/api/v1/match-results/changes`: the activity of all matches, for programs that ask again and again.
extension ScoreboardEndpoints {
    var changeEndpoints: [Endpoint] { [Endpoint(ScoreboardAPI.listMatchChanges, Self.reads, handler: changes)] }

    private func changes(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        guard let journal else { throw Refusal(.unavailable, "this server keeps no events") }
        var seen: Int64 = 0
        if let text = PageRequest.value(of: "after", in: request) {
            guard let number = Int64(text), number >= 0 else {
                throw ProblemDetails(.unprocessableContent, "\"after\" must be the number of a change")
            }
            seen = number
        }
        let (end, start) = (journal.lastNumber, seen)
        // A number that the journal has not reached is that of a database that was replaced.
        var (items, hasGap) = ([APIObject<MatchChangeFields>](), seen > end)
        seen = min(seen, end)
        let hidden = try await hiddenResults(caller)
        // A batch of events may have no change of a match in it; the work of a request is bounded.
        for _ in 0..<Self.maximumBatchCount where items.isEmpty && seen < end {
            let (events, isGone) = try await journal.missed(after: seen, through: end)
            if isGone, seen == start, start > 0 { hasGap = true }
            seen = events.last?.number ?? end
            items = events.filter { $0.type.rawValue == Self.changeType }.compactMap {
                Self.change($0, for: caller, hidden)
            }
        }
        return MatchChangesFields.object {
            [$0.items(items), $0.last("\(seen)"), $0.missed(hasGap)]
        }.response()
    }

    private static let changeType = "score.changed"
    /// Batches of events that a request reads. If none has a change, the next request goes on from there.
    private static let maximumBatchCount = 8

    /// A change, if the sender may see its channel and wants to be told.
    private static func change(
        _ event: Event, for caller: GatewayRequestContext, _ hidden: HiddenResults
    ) -> APIObject<MatchChangeFields>? {
        guard caller.mayWatch(channel: event.subject.name), let node = try? JSONParser.parse(event.json.utf8),
            let match = node["match"]?.string, !(OpaqueID(parsing: match).map(hidden.hides) ?? false)
        else { return nil }
        func texts(_ name: String) -> [String] { node[name]?.elements?.compactMap(\.string) ?? [] }
        func numbers(_ name: String) -> [Int] { node[name]?.elements?.compactMap(\.integer) ?? [] }
        return MatchChangeFields.object {
            [
                $0.time(event.time), $0.channel(event.subject.name), $0.match(match),
                $0.sequence(node["sequence"]?.integer ?? 0), $0.phase(node["phase"]?.string ?? ""),
                $0.rules(node["rules"]?.string), $0.competition(node["competition"]?.string),
                $0.sideA(texts("sideA")), $0.sideB(texts("sideB")), $0.points(numbers("points")),
                $0.won(numbers("won")), $0.score(node["score"]?.string), $0.winner(node["winner"]?.string),
            ]
        }
    }
}
