import APIContract
import Accounts
import HTTPEndpoints
import Hummingbird
import MediaCore
import Scoreboard
import SiteTexts
import Workflows

/// The page with the statistics of a player, alone or against another one.
extension ScoreboardPages {
    func statistics(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let page = SitePage(.playerStatistics, request, context)
        let text = ResultText.preferred(request.headers[.acceptLanguage])
        let id = try context.parameters.identifier(of: "player")
        let name =
            PageRequest.value(of: "rival", in: request)
            .map { UntrustedText.stripped($0, maximumCharacterCount: 2 * MatchSetup.maximumLineLength) } ?? ""
        let isNamed = !name.allSatisfy(\.isWhitespace)
        let rival = isNamed ? try await scoreboard.player(named: name) : nil
        let found = try await scoreboard.statistics(of: id, against: rival?.id) {
            context.mayWatch(channel: $0)
        }
        let player = SitePage.displayed(found.player.fullName)
        let language = page.text.language
        var values: [String: Any] = [
            "r": text, "playerName": player, "rival": name, "path": ScoreboardPath.statistics(ofPlayer: id.text),
            "rules": found.rules.map { rules in
                Self.values(rules.counts).merging(["rulesName": Self.name(ofRules: rules.name, language)]) { $1 }
            },
            "total": Self.values(found.total), "all": ScoreboardPath.results,
            "playerResults":
                "\(ScoreboardPath.results)?player=\(PathEncoding.component(found.player.fullName))",
        ]
        if let rival { values["rivalName"] = SitePage.displayed(text.against(rival.fullName)) }
        if isNamed, rival == nil { values["nobody"] = text.resultStatNobody }
        return try page.response(values, title: "\(text.resultStatHeading): \(player)")
    }

    private static func values(_ counts: PlayerStatistics.Counts) -> [String: Any] {
        [
            "matches": counts.matches, "won": counts.won, "lost": counts.lost, "drawn": counts.drawn,
            "games": "\(counts.gamesWon)–\(counts.gamesLost)", "points": "\(counts.pointsFor)–\(counts.pointsAgainst)",
        ]
    }

    private static func name(ofRules id: String, _ language: String) -> String {
        guard let rules = MatchRuleFiles.rules(id) else { return id }
        let sport = rules.sport[language] ?? rules.sport["en"] ?? id
        return "\(sport): \(rules.name[language] ?? rules.name["en"] ?? "")"
    }
}
