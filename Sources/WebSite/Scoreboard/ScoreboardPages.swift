import Accounts
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LiveChannels
import MediaCore
package import Scoreboard
import SiteTexts
package import Workflows

/// The boards of channels, and the page on which a referee keeps the score.
package struct ScoreboardPages: Sendable {
    let pages: AccountPages
    let scoreboard: Scoreboard
    let channels: any ChannelContent
    let publishing: ResultPublishing

    /// - Parameters:
    ///   - pages: the account pages, whose forms look the same.
    ///   - scoreboard: players and matches.
    ///   - channels: the channels.
    ///   - publishing: sends results by mail.
    package init(
        pages: AccountPages, scoreboard: Scoreboard, channels: any ChannelContent, publishing: ResultPublishing
    ) {
        (self.pages, self.scoreboard, self.channels, self.publishing) = (pages, scoreboard, channels, publishing)
    }

    /// Number of results on the page of all courts.
    private static let resultCount = 20
    static let scores = AccessRule.credentialed(
        .permissionForThing(.score), reason: "the handler asks for the permission on the match's channel")

    package var endpoints: [Endpoint] {
        [
            Endpoint(
                .get, ScoreboardPath.all, .filters(reason: "channels that the visitor may not see are left out"),
                handler: all),
            Endpoint(.get, "\(ScoreboardPath.all)/{name}", .channel(.read), handler: board),
            Endpoint(.get, ScoreboardPath.newMatch, Self.scores) { request, context in
                try form(nil, error: nil, request, context)
            },
            Endpoint(.post, ScoreboardPath.newMatch, Self.scores, handler: create),
            tabletEndpoint,
            Endpoint(.get, "\(ScoreboardPath.all)/partidos/{id}", Self.scores, handler: referee),
        ] + resultEndpoints
    }

    func text(_ request: Request) -> ScoreboardText { .preferred(request.headers[.acceptLanguage]) }

    /// The channels whose score the visitor may keep.
    func scored(_ context: GatewayRequestContext) -> [ChannelStatus] {
        context.scored(channels.channels())
    }

    // MARK: Boards

    private static func json(_ words: [(String, String)]) -> String {
        JSONText.object(words.map { ($0.0, .string($0.1)) }).rendered
    }

    /// The words that a player needs for the score over its picture.
    static func words(_ language: String) -> String { json(ScoreboardText.preferred(language).boardWords) }

    private func all(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let (page, text) = (SitePage(.scoreboards, request, context), text(request))
        let watched = context.watchable(channels.channels())
        let mayScore = context.principal.member == nil ? [] : scored(context)
        var filter = MatchFilter()
        filter.onlyOpen = true
        let open = try await scoreboard.matches(filter, limit: 100).items
        (filter.onlyOpen, filter.onlyResults) = (false, true)
        let names = Set(watched.map(\.name))
        let results = try await scoreboard.matches(filter, limit: Self.resultCount).items
            .filter { names.contains($0.channel) }
        let values: [String: Any] = [
            "s": text, "words": Self.json(text.boardWords),
            "newMatch": mayScore.isEmpty ? false : ScoreboardPath.newMatch as Any, "tablet": ScoreboardPath.tablet,
            "courts": watched.map { channel in
                let matches = open.filter { $0.channel == channel.name }
                let isScored = mayScore.contains { $0.name == channel.name }
                return [
                    "name": channel.name, "title": SitePage.displayed(channel.title),
                    "path": ScoreboardPath.board(ofChannel: channel.name),
                    "matches": isScored ? matches.map(Self.link) : [],
                ] as [String: Any]
            },
            "results": results.map { result($0, page, ResultText.of(page.text.siteLanguage)) },
            "r": ResultText.of(page.text.siteLanguage), "allResults": ScoreboardPath.results,
        ]
        return try page.response(values, title: text.heading)
    }

    private static func link(_ match: MatchSummary) -> [String: Any] {
        ["path": ScoreboardPath.match(match.id.text), "names": Self.match(match.names)]
    }

    private static func side(_ names: [String]) -> String {
        names.map { SitePage.displayed($0) }.joined(separator: " / ")
    }

    private static func match(_ names: SidePair<[String]>) -> String { "\(side(names.a)) – \(side(names.b))" }

    private func board(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let name = try context.parameters.require("name")
        guard let channel = channels.channel(named: name) else {
            throw ProblemDetails(.notFound, "there is no channel \(Refusal.quoted(name))")
        }
        let (page, text) = (SitePage(.scoreboard, request, context), text(request))
        let isOverlay = PageRequest.value(of: "overlay", in: request) != nil
        let values: [String: Any] = [
            "s": text, "name": name, "words": Self.json(text.boardWords), "title": SitePage.displayed(channel.title),
            "overlay": isOverlay, "size": isOverlay ? "small" : "large",
        ]
        return try page.response(values, title: "\(text.heading) · \(SitePage.displayed(channel.title))")
    }

    // MARK: A new match

    /// The names of the fields of the form.
    private enum FieldName: String {
        case channel, rules, modality, scoring, a1, a2, b1, b2, firstServer, competition, stage, referee
    }

    private func form(
        _ sent: FormFields?, error: String?, _ request: Request, _ context: GatewayRequestContext
    ) throws -> Response {
        let text = text(request)
        let scored = scored(context)
        guard !scored.isEmpty else {
            throw ProblemDetails(.forbidden, "your account may not keep the score of a channel")
        }
        let language = SiteLanguage.preferred(request.headers[.acceptLanguage]).rawValue
        func field(_ name: FieldName, _ label: String, isRequired: Bool = false) -> PageForm.Field {
            PageForm.Field(name: name.rawValue, label: label, value: sent?[name.rawValue] ?? "", isRequired: isRequired)
        }
        func choice(_ name: FieldName, _ label: String, _ options: [(value: String, label: String)]) -> PageForm.Field {
            var field = field(name, label)
            (field.type, field.options) = ("select", options)
            if field.value.isEmpty { field.value = options.first?.value ?? "" }
            return field
        }
        let rules = MatchRuleFiles.all.map { rules in
            let sport = rules.sport[language] ?? rules.sport["en"] ?? rules.id
            return (value: rules.id, label: "\(sport): \(rules.name[language] ?? rules.name["en"] ?? "")")
        }
        let fields = [
            choice(
                .channel, text.channel, scored.map { (value: $0.name, label: SitePage.displayed($0.title)) }),
            choice(.rules, text.rules, rules),
            choice(
                .modality, text.modality,
                [(value: "", label: text.ofRules)]
                    + MatchRules.Modality.allCases.map { (value: $0.rawValue, label: text.name(of: $0)) }),
            choice(
                .scoring, text.scoring,
                [(value: "", label: text.ofRules)]
                    + MatchRules.Scoring.allCases.map { (value: $0.rawValue, label: text.name(of: $0)) }),
            field(.a1, text.sideA, isRequired: true), field(.a2, "\(text.sideA) (\(text.partnerHint))"),
            field(.b1, text.sideB, isRequired: true), field(.b2, "\(text.sideB) (\(text.partnerHint))"),
            choice(
                .firstServer, text.firstServer,
                [
                    (value: "", label: text.draw), (value: "a1", label: text.sideA), (value: "b1", label: text.sideB),
                ]),
            field(.competition, text.competition), field(.stage, text.stage), field(.referee, text.referee),
        ]
        let section = PageSection(
            heading: text.newMatch, text: text.playersHint,
            forms: [PageForm(action: ScoreboardPath.newMatch, fields: fields, button: text.create)],
            links: [(ScoreboardPath.tablet, text.tablet), (ScoreboardPath.all, text.back)])
        return try pages.answer(
            text.setUp, [section], error: error, request, context,
            status: error == nil ? .ok : .unprocessableContent)
    }

    private func create(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let text = text(request)
        func value(_ name: FieldName) -> String { sent.text(name.rawValue) ?? "" }
        guard scored(context).contains(where: { $0.name == value(.channel) }) else {
            throw ProblemDetails(.forbidden, "your account may not keep the score of this channel")
        }
        var new = NewMatch(
            channel: value(.channel), rules: value(.rules),
            sides: SidePair(
                try await entrants([value(.a1), value(.a2)]), try await entrants([value(.b1), value(.b2)])))
        new.modality = MatchRules.Modality(rawValue: value(.modality))
        new.scoring = MatchRules.Scoring(rawValue: value(.scoring))
        if new.modality == nil, new.sides.a.count == 2, new.sides.b.count == 2 { new.modality = .doubles }
        new.firstServer = MatchSide(rawValue: String(value(.firstServer).prefix(1))).map { MatchServer($0) }
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
            return try form(sent, error: message, request, context)
        }
    }

    /// The players with these names, or the names.
    private func entrants(_ names: [String]) async throws -> [NewMatch.Entrant] {
        var entrants: [NewMatch.Entrant] = []
        for name in names where !name.allSatisfy(\.isWhitespace) {
            let player = try await scoreboard.player(named: name)
            entrants.append(player.map { .player($0.id) } ?? .name(name))
        }
        return entrants
    }

    // MARK: The referee

    private func referee(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let match = try await scoreboard.match(try context.parameters.identifier(of: "match"))
        let channel = match.setup.channel
        try context.require(.score, context.matches(onChannel: channel))
        let (page, text) = (SitePage(.referee, request, context), text(request))
        let names = match.setup.sides.map { $0.map(\.name) }
        let values: [String: Any] = [
            "s": text, "match": match.id.text, "words": Self.refereeWords(text), "parts": Self.parts(page),
            "setup": match.setup.document.rendered, "tablet": ScoreboardPath.tablet,
            "board": ScoreboardPath.board(ofChannel: channel), "all": ScoreboardPath.all,
            "names": Self.match(names),
            "halves": MatchSide.allCases.map { side in
                [
                    "side": side.rawValue,
                    "name": Self.side(names[side]),
                    "values": match.setup.rules.pointValues.map { ["value": $0] },
                ] as [String: Any]
            },
        ]
        var response = try page.response(values, title: text.keepScore)
        response.headers[.cacheControl] = "private, no-store"
        return response
    }
}
