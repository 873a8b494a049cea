import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LiveChannels
import MediaCore
import Scoreboard
import SiteTexts
import Workflows

/// Lists of matches, and results in other forms.
extension ScoreboardEndpoints {
    var resultEndpoints: [Endpoint] {
        [
            Endpoint(ScoreboardAPI.listMatches, Self.reads, handler: matches),
            Endpoint(ScoreboardAPI.mailResults, Self.scores, handler: mail),
            Endpoint(ScoreboardAPI.getPlayerStatistics, Self.reads, handler: statistics),
        ]
    }

    private func matches(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        enum Shown: String, CaseIterable { case open, results }
        let wanted = try PageRequest(request)
        guard var filter = try Self.filter(request) else { return APIPage([APIObject<MatchFields>]()).response() }
        let shown: Shown? = try PageRequest.choice("show", in: request)
        (filter.onlyOpen, filter.onlyResults) = (shown == .open, shown == .results)
        let format: MatchResults.Format = try PageRequest.choice("format", in: request) ?? .json
        guard format == .json else { return try await file(format, filter, request, caller) }
        let found = try await scoreboard.matches(filter, after: wanted.cursor, limit: wanted.limit)
        let items = found.items.filter { caller.mayWatch(channel: $0.channel) }
        let hidden = try await hiddenResults(caller)
        return APIPage(items.map { Self.summary($0, isHidden: hidden.hides($0.id)) }, next: found.next).response()
    }

    /// The filter of a request; `nil` if no match can be meant.
    private static func filter(_ request: Request) throws -> MatchFilter? {
        var filter = MatchFilter()
        filter.channel = PageRequest.value(of: "channel", in: request)
        filter.competition = PageRequest.value(of: "competition", in: request)
        filter.from = try date("from", in: request)
        filter.until = try date("until", in: request)
        if let text = PageRequest.value(of: "player", in: request) {
            // A text that cannot be an ID is that of no player.
            guard let id = OpaqueID(parsing: text) else { return nil }
            filter.player = id
        }
        if let text = PageRequest.value(of: "ids", in: request) {
            filter.ids = try ids(text.split(separator: ",").map(String.init))
        }
        return filter
    }

    private static func date(_ name: String, in request: Request) throws -> CivilDate? {
        guard let text = PageRequest.value(of: name, in: request) else { return nil }
        guard let date = CivilDate(parsing: text) else {
            throw ProblemDetails(.unprocessableContent, "\"\(name)\" must be a date like \"2026-11-30\"")
        }
        return date
    }

    /// - Throws: `ProblemDetails` with 422 if there are too many.
    static func ids(_ texts: [String]) throws -> [OpaqueID] {
        guard texts.count <= MatchFilter.maximumIDCount else {
            throw ProblemDetails(
                .unprocessableContent, "\"ids\" is limited to \(MatchFilter.maximumIDCount) identifiers")
        }
        return texts.compactMap { OpaqueID(parsing: $0) }
    }

    private func file(
        _ format: MatchResults.Format, _ filter: MatchFilter, _ request: Request, _ caller: GatewayRequestContext
    ) async throws -> Response {
        let page = page(filter, caller)
        guard format == .pdf else { return try await MatchResults.response(format, page: page) }
        let content = try await content(filter, .preferred(request.headers[.acceptLanguage]), caller)
        return try await MatchResults.pdf(results, content, for: caller, page: page)
    }

    /// Reads the results that the sender may see, a page at a time.
    func page(_ filter: MatchFilter, _ caller: GatewayRequestContext) -> MatchPages {
        var filter = filter
        (filter.onlyOpen, filter.onlyResults) = (false, true)
        return scoreboard.pages(filter) { caller.mayWatch(channel: $0) }
    }

    /// The words of a document with the results of a filter, whose results are still to be read.
    func content(
        _ filter: MatchFilter, _ text: ResultText, _ caller: GatewayRequestContext
    ) async throws -> ResultDocuments.Content {
        var player: String?
        if let id = filter.player { player = try? await scoreboard.player(id).fullName }
        let channel = filter.channel.flatMap { name in
            caller.mayWatch(channel: name) ? channels.channel(named: name)?.title ?? name : name
        }
        return results.content(lines: text.lines(filter, player: player, channel: channel), text)
    }

    private func mail(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        try requireReferee(caller)
        let body = try await BodyFields(request, ResultMailFields.self)
        guard let addresses = try body.texts(\.addresses) else { throw Refusal.missing(["addresses"]) }
        var filter = MatchFilter()
        filter.channel = try body.text(\.channel)
        filter.competition = try body.text(\.competition)
        filter.player = try body.text(\.player).map { text in
            guard let id = OpaqueID(parsing: text) else {
                throw Refusal(.invalidField, "the field `player` must be the ID of a player", fields: ["player"])
            }
            return id
        }
        filter.from = try Self.date(try body.text(\.from), "from")
        filter.until = try Self.date(try body.text(\.until), "until")
        if let ids = try body.texts(\.ids) { filter.ids = try Self.ids(ids) }
        let content = try await content(filter, .preferred(request.headers[.acceptLanguage]), caller)
        let mailing = ResultPublishing.Mailing(
            addresses: addresses, senderName: caller.principal.member?.username ?? content.station,
            sender: caller.uploadSender)
        let count = try await results.mail(content, mailing, page: page(filter, caller))
        return ResultMailsFields.object { [$0.count(count)] }.response(status: .accepted)
    }

    private static func date(_ text: String?, _ field: String) throws(Refusal) -> CivilDate? {
        guard let text else { return nil }
        guard let date = CivilDate(parsing: text) else {
            throw Refusal(
                .invalidField, "the field `\(field)` must be a date like \"2026-11-30\"", fields: [field])
        }
        return date
    }

    // MARK: Statistics

    private func statistics(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let player = try caller.parameters.identifier(of: "player")
        let rival = try PageRequest.value(of: "against", in: request).map { text in
            guard let id = OpaqueID(parsing: text) else { throw Refusal(.notFound, "there is no such player") }
            return id
        }
        let found = try await scoreboard.statistics(of: player, against: rival) { caller.mayWatch(channel: $0) }
        return PlayerStatisticsFields.object { fields in
            [
                fields.player(found.player.id.text), fields.fullName(found.player.fullName),
                fields.against(found.rival?.id.text), fields.againstName(found.rival?.fullName),
                fields.total(Self.counts(found.total, rules: nil)),
                fields.rules(found.rules.map { Self.counts($0.counts, rules: $0.name) }),
            ]
        }.response()
    }

    private static func counts(
        _ counts: PlayerStatistics.Counts, rules: String?
    ) -> APIObject<PlayerCountsFields> {
        PlayerCountsFields.object {
            [
                $0.rules(rules), $0.matches(counts.matches), $0.won(counts.won), $0.lost(counts.lost),
                $0.drawn(counts.drawn), $0.gamesWon(counts.gamesWon), $0.gamesLost(counts.gamesLost),
                $0.pointsFor(counts.pointsFor), $0.pointsAgainst(counts.pointsAgainst),
            ]
        }
    }
}
