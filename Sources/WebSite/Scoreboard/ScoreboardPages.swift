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
                try setUpForm(nil, error: nil, request, context)
            },
            Endpoint(.post, ScoreboardPath.newMatch, Self.scores, handler: createMatch),
            tabletEndpoint, strategyEndpoint,
            Endpoint(.get, "\(ScoreboardPath.all)/partidos/{id}", Self.scores, handler: referee),
        ] + PlayerPages(pages: self).endpoints + resultEndpoints
    }

    func text(_ request: Request) -> ScoreboardText { .preferred(request.headers[.acceptLanguage]) }

    func playersText(_ request: Request) -> MatchPlayersText { .preferred(request.headers[.acceptLanguage]) }

    /// The channels whose score the visitor may keep.
    func scored(_ context: GatewayRequestContext) -> [ChannelStatus] {
        context.scored(channels.channels())
    }

    // MARK: Boards

    /// The words of boards, and where their flags are.
    private static func boardWords(_ text: ScoreboardText) -> String {
        JSONText.object((text.boardWords + [("flags", FlagDrawings.path)]).map { ($0.0, .string($0.1)) }).rendered
    }

    /// The words that a player needs for the score over its picture.
    static func words(_ language: String) -> String { boardWords(ScoreboardText.preferred(language)) }

    private func all(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let (page, text) = (SitePage(.scoreboards, request, context), text(request))
        let watched = context.watchable(channels.channels())
        let hidden = try await hiddenResults(request, context)
        let mayScore = context.principal.member == nil ? [] : scored(context)
        var filter = MatchFilter()
        filter.onlyOpen = true
        let open = try await scoreboard.matches(filter, limit: 100).items
        (filter.onlyOpen, filter.onlyResults) = (false, true)
        let names = Set(watched.map(\.name))
        let results = try await scoreboard.matches(filter, limit: Self.resultCount).items
            .filter { names.contains($0.channel) }
        let values: [String: Any] = [
            "s": text, "words": Self.boardWords(text),
            "isReferee": !mayScore.isEmpty, "menu": menu(ScoreboardPath.all, request),
            "newMatch": mayScore.isEmpty ? false : ScoreboardPath.newMatch as Any, "tablet": ScoreboardPath.tablet,
            "players": ScoreboardPath.players, "playersName": playersText(request).players,
            "courts": watched.map { channel in
                let matches = open.filter { $0.channel == channel.name }
                let isScored = mayScore.contains { $0.name == channel.name }
                return [
                    "name": channel.name, "title": SitePage.displayed(channel.title),
                    "path": ScoreboardPath.board(ofChannel: channel.name),
                    "matches": isScored ? matches.map(Self.link) : [],
                ] as [String: Any]
            },
            "results": results.map {
                result($0, page, ResultText.of(page.text.siteLanguage), isHidden: hidden.hides($0.id))
            },
            "isHidden": hidden.hides, "hiding": hiding(hidden.hides, request, context, at: ScoreboardPath.all),
            "showBoard": SpoilerText.of(page.text.siteLanguage).showBoard,
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
            "s": text, "g": StrategyText.preferred(request.headers[.acceptLanguage]), "name": name,
            "words": Self.boardWords(text), "title": SitePage.displayed(channel.title),
            "overlay": isOverlay, "size": isOverlay ? "small" : "large",
        ]
        return try page.response(values, title: "\(text.heading) · \(SitePage.displayed(channel.title))")
    }

    // MARK: The referee

    private func referee(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let match = try await scoreboard.match(try context.parameters.identifier(of: "match"))
        let channel = match.setup.channel
        try context.require(.score, context.matches(onChannel: channel))
        let (page, text) = (SitePage(.referee, request, context), text(request))
        let names = match.setup.sides.map { $0.map(\.name) }
        let values: [String: Any] = [
            "s": text, "match": match.id.text, "words": Self.refereeWords(text, request), "parts": Self.parts(page),
            "m": MatchTabletText.preferred(request.headers[.acceptLanguage]),
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
        var response = try page.response(
            values.merging(Self.strategyValues(request)) { value, _ in value }, title: text.keepScore)
        response.headers[.cacheControl] = "private, no-store"
        return response
    }
}
