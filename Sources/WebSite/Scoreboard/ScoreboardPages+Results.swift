import APIContract
import Accounts
import HTTPEndpoints
import Hummingbird
import LiveChannels
import MediaCore
import Scoreboard
import SiteTexts
import Workflows

/// The pages of results: the list, and one of them.
extension ScoreboardPages {
    private static let reads = AccessRule.filtersChannels(
        reason: "results of channels that the visitor may not see are left out")
    /// Number of results on a page.
    private static let pageSize = 50

    var resultEndpoints: [Endpoint] {
        [
            Endpoint(.get, ScoreboardPath.results, Self.reads, handler: results),
            Endpoint(.get, "\(ScoreboardPath.all)/partidos/{id}/resultado", Self.reads, handler: oneResult),
            Endpoint(.get, "\(ScoreboardPath.all)/partidos/estadisticas/{id}", Self.reads, handler: statistics),
            Endpoint(.post, ScoreboardPath.mail, Self.scores, handler: mail), hidingEndpoint,
        ]
    }

    /// The values of a result in a list.
    ///
    /// - Parameter isHidden: whether the visitor has to ask for it; the sides are in the order of the match then.
    func result(
        _ match: MatchSummary, _ page: SitePage, _ text: ResultText, isHidden: Bool = false
    ) -> [String: Any] {
        let path = ScoreboardPath.result(match.id.text)
        let first = isHidden ? MatchSide.a : match.firstSide
        let second = first.other
        let (winner, loser) = (match.nameWithCountries(of: first), match.nameWithCountries(of: second))
        var values: [String: Any] = [
            "id": match.id.text, "path": path, "pdf": ScoreboardPath.file("pdf", "ids=\(match.id.text)"),
            "winner": SitePage.displayed(winner), "loser": SitePage.displayed(loser), "score": match.scoreText,
            "competitionName": SitePage.displayed(match.competition), "minutes": text.minutes(match),
            "day": match.resultTime.date.description, "r": text,
            "share": [
                "address": page.url(path, pages.publicAddress), "name": text.resultOne,
                "shareText": SitePage.displayed(Self.shared(match, isHidden: isHidden)), "text": text.resultShare,
                "copied": text.resultCopied,
            ],
        ]
        if isHidden {
            let spoilers = SpoilerText.of(page.text.siteLanguage)
            let names = "\(SitePage.displayed(winner)) – \(SitePage.displayed(loser))"
            values["hidden"] = [
                "reveal": spoilers.reveal, "label": spoilers.revealOf.filled("names", with: names),
                "won": SitePage.displayed(match.name(of: match.firstSide)),
            ]
        }
        return values
    }

    /// The text that somebody shares: the result, or the names of both sides.
    private static func shared(_ match: MatchSummary, isHidden: Bool) -> String {
        isHidden ? MatchSide.allCases.map { match.name(of: $0) }.joined(separator: " – ") : match.shareText()
    }

    private func results(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let (page, text) = (
            SitePage(.results, request, context), ResultText.preferred(request.headers[.acceptLanguage])
        )
        let hidden = try await hiddenResults(request, context)
        let wanted = try PageRequest(request, defaultLimit: Self.pageSize)
        let search = ResultSearch(request)
        let filter = try await search.filter(scoreboard)
        let found: ListPage<MatchSummary> =
            if let filter {
                try await scoreboard.matches(filter, after: wanted.cursor, limit: wanted.limit)
            } else {
                ListPage(items: [], next: nil)
            }
        let items = found.items.filter { context.mayWatch(channel: $0.channel) }
        let chosen = try await chosen(in: request, context)
        let query = search.query(player: filter?.player)
        let lines = filter.map { text.lines($0, player: search.player, channel: nil) } ?? [search.player ?? ""]
        var values: [String: Any] = [
            "r": text, "s": self.text(request),
            "results": items.map { match in
                result(match, page, text, isHidden: hidden.hides(match.id)).merging(
                    [
                        "beside": search.address(cursor: wanted.cursor, result: match.id.text),
                        "isCurrent": match.id == chosen?.id,
                    ]) { $1 }
            },
            "isHidden": hidden.hides,
            "hiding": hiding(hidden.hides, request, context, at: search.address()), "hasResults": !items.isEmpty,
            "lines": lines.map { SitePage.displayed($0) },
            "isFiltered": !search.isEmpty, "all": ScoreboardPath.results, "scoreboards": ScoreboardPath.all,
            "pdf": ScoreboardPath.file("pdf", query), "csv": ScoreboardPath.file("csv", query),
            "competition": search.competition ?? "", "player": search.player ?? "", "from": search.from ?? "",
            "until": search.until ?? "",
            "isReferee": context.principal.member != nil && !scored(context).isEmpty,
            "menu": menu(ScoreboardPath.results, request),
        ]
        if let chosen {
            var detail = try await detail(of: chosen, page, text, isHidden: hidden.hides(chosen.id))
            detail["list"] = search.address(cursor: wanted.cursor)
            values["detail"] = detail
        }
        if !items.isEmpty, maySendMail(context) {
            values["mail"] = Self.mailForm(search, filter?.player, text).values(csrf: context.csrfToken)
        }
        if let count = try? PageRequest.number("enviados", in: request, 1...ResultMails.maximumAddressCount) {
            values["sent"] = text.resultMailSent(count)
        }
        if wanted.cursor != nil { values["first"] = search.address() }
        if let next = found.next { values["next"] = search.address(cursor: next) }
        return try page.response(values, title: text.resultHeading)
    }

    /// The result that is shown beside the list; `nil` for none.
    private func chosen(in request: Request, _ context: GatewayRequestContext) async throws -> MatchSummary? {
        guard let text = PageRequest.value(of: ResultSearch.chosenName, in: request), let id = OpaqueID(parsing: text)
        else { return nil }
        return try await finished(id, context)
    }

    /// A match with a result that the visitor may see; `nil` if there is none.
    private func finished(_ id: OpaqueID, _ context: GatewayRequestContext) async throws -> MatchSummary? {
        var filter = MatchFilter()
        (filter.ids, filter.onlyResults) = ([id], true)
        return try await scoreboard.matches(filter).items.first { context.mayWatch(channel: $0.channel) }
    }

    /// The values of a result on a page of its own, or beside the list.
    private func detail(
        of match: MatchSummary, _ page: SitePage, _ text: ResultText, isHidden: Bool
    ) async throws -> [String: Any] {
        var values = result(match, page, text, isHidden: isHidden)
        let sides = try await scoreboard.match(match.id).setup.sides
        values["players"] = (sides.a + sides.b).compactMap { entrant in
            entrant.player.map { id in
                ["path": ScoreboardPath.statistics(ofPlayer: id.text), "name": SitePage.displayed(entrant.name)]
            }
        }
        return values
    }

    private func oneResult(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let (page, text) = (SitePage(.result, request, context), ResultText.preferred(request.headers[.acceptLanguage]))
        guard let match = try await finished(try context.parameters.identifier(of: "match"), context) else {
            throw Scoreboard.unknownMatch
        }
        let isHidden = try await hiddenResults(request, context).hides(match.id)
        var values = try await detail(of: match, page, text, isHidden: isHidden)
        values["all"] = ScoreboardPath.results
        return try page.response(
            values,
            title: "\(text.resultOne): \(SitePage.displayed(Self.shared(match, isHidden: isHidden)))",
            preview: page.preview(
                "article", of: text.resultOne, at: ScoreboardPath.result(match.id.text),
                text: SitePage.displayed(Self.shared(match, isHidden: isHidden)), image: nil, pages.publicAddress))
    }
}

/// Results by mail.
extension ScoreboardPages {
    private static let addressSeparators: Set<Character> = [",", ";"]

    private func maySendMail(_ context: GatewayRequestContext) -> Bool {
        publishing.sendsMail && context.principal.member != nil && !scored(context).isEmpty
    }

    private static func mailForm(_ search: ResultSearch, _ player: OpaqueID?, _ text: ResultText) -> PageForm {
        let hidden = [
            ("ids", ""), ("competition", search.competition ?? ""), ("player", player?.text ?? ""),
            ("from", search.from ?? ""), ("until", search.until ?? ""),
        ].map { PageForm.Field(name: $0.0, label: "", type: "hidden", value: $0.1) }
        let addresses = PageForm.Field(name: "addresses", label: text.resultMailAddresses, isRequired: true)
        return PageForm(action: ScoreboardPath.mail, fields: hidden + [addresses], button: text.resultMailSend)
    }

    private func mail(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        guard maySendMail(context), let member = context.principal.member else {
            throw ProblemDetails(.forbidden, "your account may not send results")
        }
        let text = ResultText.preferred(request.headers[.acceptLanguage])
        func value(_ name: String) -> String? { sent.text(name).flatMap { $0.isEmpty ? nil : $0 } }
        var filter = MatchFilter()
        filter.onlyResults = true
        filter.competition = value("competition")
        filter.player = value("player").flatMap { OpaqueID(parsing: $0) }
        filter.from = value("from").flatMap { CivilDate(parsing: $0) }
        filter.until = value("until").flatMap { CivilDate(parsing: $0) }
        filter.ids = value("ids").map { ids in
            ids.split(separator: ",").prefix(MatchFilter.maximumIDCount).compactMap { OpaqueID(parsing: String($0)) }
        }
        var player: String?
        if let id = filter.player { player = try? await scoreboard.player(id).fullName }
        let content = publishing.content(lines: text.lines(filter, player: player, channel: nil), text)
        let addresses = (value("addresses") ?? "")
            .split { $0.isWhitespace || Self.addressSeparators.contains($0) }.map(String.init)
        let mailing = ResultPublishing.Mailing(
            addresses: addresses, senderName: member.username, sender: context.uploadSender)
        do {
            let page = scoreboard.pages(filter) { context.mayWatch(channel: $0) }
            let count = try await publishing.mail(content, mailing, page: page)
            return pages.redirect("\(ScoreboardPath.results)?enviados=\(count)")
        } catch let refusal as Refusal {
            let message =
                switch refusal.code {
                case .invalidField where refusal.fields.contains("addresses"): text.resultMailWrong
                case .invalidField: text.resultMailLarge
                case .tooManyAttempts: text.resultMailTooMany
                default: text.resultMailFailed
                }
            let section = PageSection(
                heading: text.resultMail, links: [(ScoreboardPath.results, text.resultAllMatches)])
            return try pages.answer(
                text.resultMail, [section], error: message, request, context, status: .unprocessableContent)
        }
    }
}

/// The search of a visitor on the page of results.
struct ResultSearch {
    let competition, player, from, until: String?

    init(_ request: Request) {
        func value(_ name: String, _ limit: Int) -> String? {
            let text = PageRequest.value(of: name, in: request).map {
                UntrustedText.stripped($0, maximumCharacterCount: limit)
            }
            return text?.allSatisfy(\.isWhitespace) == false ? text : nil
        }
        competition = value("competition", MatchSetup.maximumLineLength)
        player = value("player", 2 * MatchSetup.maximumLineLength)
        (from, until) = (value("from", 10), value("until", 10))
    }

    var isEmpty: Bool { competition == nil && player == nil && from == nil && until == nil }

    /// The filter; `nil` if no result can be meant. A day that is none counts as if it were not there.
    func filter(_ scoreboard: Scoreboard) async throws -> MatchFilter? {
        var filter = MatchFilter()
        filter.onlyResults = true
        filter.competition = competition
        filter.from = from.flatMap { CivilDate(parsing: $0) }
        filter.until = until.flatMap { CivilDate(parsing: $0) }
        if let player {
            guard let found = try await scoreboard.player(named: player) else { return nil }
            filter.player = found.id
        }
        return filter
    }

    /// The query of the same filter in the API.
    func query(player: OpaqueID?) -> String {
        Self.query([
            ("competition", competition), ("player", player?.text),
            ("from", from.flatMap { CivilDate(parsing: $0) }?.description),
            ("until", until.flatMap { CivilDate(parsing: $0) }?.description),
        ])
    }

    /// The parameter that names the result beside the list.
    static let chosenName = "resultado"

    /// The page with the same filter.
    func address(cursor: String? = nil, result: String? = nil) -> String {
        let query = Self.query([
            ("competition", competition), ("player", player), ("from", from), ("until", until), ("cursor", cursor),
            (Self.chosenName, result),
        ])
        return query.isEmpty ? ScoreboardPath.results : "\(ScoreboardPath.results)?\(query)"
    }

    private static func query(_ values: [(name: String, value: String?)]) -> String {
        values.compactMap { item in item.value.map { "\(item.name)=\(PathEncoding.component($0))" } }
            .joined(separator: "&")
    }
}
