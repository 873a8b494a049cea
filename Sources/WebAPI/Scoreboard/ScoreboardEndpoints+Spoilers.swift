import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Scoreboard

/// Results that a member wants to watch first.
extension ScoreboardEndpoints {
    private static let own = AccessRule.member(.session, reason: "the caller's own preference")

    var spoilerEndpoints: [Endpoint] {
        [
            Endpoint(ScoreboardAPI.getHiddenResults, Self.own) { _, caller in
                let hides = try await scoreboard.hidesResults(of: try caller.caller.requireMember().id)
                return HiddenResultsFields.object { [$0.hidden(hides)] }.response()
            },
            Endpoint(ScoreboardAPI.setHiddenResults, Self.own) { request, caller in
                let body = try await BodyFields(request, HiddenResultsFields.self)
                guard let hides = try body.flag(\.hidden) else { throw Refusal.missing(["hidden"]) }
                try await scoreboard.hideResults(hides, of: try caller.caller.requireMember().id)
                return Response(status: .noContent)
            },
            Endpoint(ScoreboardAPI.noteWatchedMatch, Self.own) { _, caller in
                let match = try await readableMatch(caller)
                try await scoreboard.noteWatched(match.id, by: try caller.caller.requireMember().id)
                return Response(status: .noContent)
            },
        ]
    }

    /// The results that the sender does not want to be told.
    func hiddenResults(_ caller: GatewayRequestContext) async throws -> HiddenResults {
        guard let member = caller.principal.member else { return .none }
        return try await scoreboard.hiddenResults(of: member.id)
    }
}
