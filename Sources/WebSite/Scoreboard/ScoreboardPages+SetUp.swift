import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LiveChannels
import MediaCore
import Scoreboard
import SiteTexts

/// A new match.
extension ScoreboardPages {
    private typealias FieldName = MatchForm.FieldName

    func setUpForm(
        _ sent: FormFields?, error: String?, _ request: Request, _ context: GatewayRequestContext
    ) throws -> Response {
        let (text, players) = (text(request), playersText(request))
        let scored = scored(context)
        guard !scored.isEmpty else {
            throw ProblemDetails(.forbidden, "your account may not keep the score of a channel")
        }
        let form = MatchForm(
            text: text, players: players, language: .preferred(request.headers[.acceptLanguage]), channels: scored,
            sent: sent)
        var values = form.values
        values["menu"] = menu(ScoreboardPath.newMatch, request)
        values["words"] = JSONText.object(Self.formWords(text, players)).rendered
        (values["action"], values["cancel"]) = (ScoreboardPath.newMatch, ScoreboardPath.all)
        values["token"] = ["csrf": context.csrfToken ?? ""]
        values["problem"] = error ?? false
        var response = try SitePage(.matchSetUp, request, context).response(
            values, title: text.setUp, status: error == nil ? .ok : .unprocessableContent)
        response.headers[.cacheControl] = "private, no-store"
        return response
    }

    /// The words of the script that shows the match while it is set up.
    static func formWords(_ text: ScoreboardText, _ players: MatchPlayersText) -> [JSONText.Field] {
        (players.formWords + [("sameTwice", text.sameTwice), ("flags", FlagDrawings.path)])
            .map { ($0.0, .string($0.1)) }
    }

    func createMatch(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let text = text(request)
        func value(_ name: FieldName) -> String { sent.text(name.rawValue) ?? "" }
        guard scored(context).contains(where: { $0.name == value(.channel) }) else {
            throw ProblemDetails(.forbidden, "your account may not keep the score of this channel")
        }
        var new = NewMatch(
            channel: value(.channel), rules: value(.rules),
            sides: SidePair(
                try await entrants(FieldName.players.a, sent), try await entrants(FieldName.players.b, sent)))
        new.modality = MatchRules.Modality(rawValue: value(.modality))
        new.scoring = MatchRules.Scoring(rawValue: value(.scoring))
        if new.modality == nil, new.sides.a.count == 2, new.sides.b.count == 2 { new.modality = .doubles }
        new.firstServer = MatchSide(rawValue: String(value(.firstServer).prefix(1))).map { MatchServer($0) }
        if new.firstServer == nil { new.draw = FirstServeDraw(seed: value(.drawSeed)) }
        (new.competition, new.stage, new.referee) = (value(.competition), value(.stage), value(.referee))
        do {
            let made = try await scoreboard.createMatch(new)
            return pages.redirect(ScoreboardPath.match(made.id.text))
        } catch let refusal as Refusal {
            let message =
                switch refusal.code {
                case .conflict: text.sameTwice
                case .tooMany: text.tooMany
                case .invalidField where ["modality", "scoring", "rules"].contains(refusal.fields.first ?? ""):
                    text.wrongRules
                default: text.notPossible
                }
            return try setUpForm(sent, error: message, request, context)
        }
    }

    /// The players of a side: by the ID that the script has found, else by name, else the names.
    private func entrants(_ fields: [FieldName], _ sent: FormFields) async throws -> [NewMatch.Entrant] {
        var entrants: [NewMatch.Entrant] = []
        for field in fields {
            guard let name = sent.text(field.rawValue) else { continue }
            if let id = sent.text(field.playerName).flatMap({ OpaqueID(parsing: $0) }) {
                entrants.append(.player(id))
            } else {
                let player = try await scoreboard.player(named: name)
                entrants.append(player.map { .player($0.id) } ?? .name(name))
            }
        }
        return entrants
    }
}
