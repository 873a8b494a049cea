import APIContract
import Accounts
import Catalogue
import Database
import HTTPEndpoints
import HTTPTypes
import JSONDocument
import Hummingbird
import LibraryDetails
import MediaCore
import SiteTexts
import VideoClub
import Workflows

/// The pages of the video club: sections, genres and search; and a title with its player.
struct VideoClubPage: Sendable {
    let content: any ContentSource
    let library: any LibraryJobControl
    /// The source of rentals; `nil` for a server without a video club.
    let club: VideoClub?

    /// Number of jobs shown above the titles; the script has the same number.
    private static let maximumJobCount = 20
    private static let sectionParameter = "section"
    private static let genreParameter = "genre"
    private static let kindParameter = "kind"
    /// The kinds of titles that have a list of their own here, besides films.
    private static let listedKinds: [TitleKind] = [.recording]
    /// The orders of lists of playable titles.
    private static let shelfOrders: [ShelfOrder] = [.newest, .title, .price, .rating]

    /// A list as a visitor wants it.
    private struct Wanted {
        var page: PageRequest
        var choice: ListChoice
        var section: TitleSection?
        var genre: String?
        /// A kind other than films; `nil` for those.
        var kind: TitleKind?
        /// The playable titles; `nil` for the whole library.
        var shelf: ShelfQuery?
        var library: RecordQuery
    }

    func answer(
        _ request: Request, _ page: SitePage, _ context: GatewayRequestContext
    ) async throws -> Response {
        var values: [String: Any] = [:]
        var status = HTTPResponse.Status.ok
        if showsLists(to: context) {
            try await list(wanted(request, page, context), page, context, &values, &status)
        } else {
            values["membersOnly"] = ["logIn": "\(AccountPath.logIn)?next=/videoclub", "name": page.account.name]
        }
        // A link to a title shows its name and poster, not the club's.
        var (name, preview) = (String?.none, [SitePage.PreviewField]())
        if let id = PageRequest.value(of: "title", in: request) {
            let mayRead = context.may(.read, context.identity.audiences.title(id: id))
            let title = mayRead ? try await content.title(id: id) : nil
            guard title != nil || AcceptedTypes.preferHTML(request) else {
                throw ProblemDetails(.notFound, "there is no title \(id)")
            }
            if title == nil { status = .notFound }
            if let title, title.state == .ready { return try await answer(title, request, context) }
            values["notice"] = page.notice(title)
            if let title {
                name = SitePage.displayed(title.title)
                preview = page.preview(of: title, at: ResourcePaths.page(ofTitle: id), nil)
            }
        }
        values["searchLabel"] = page.text.searchTitles
        let jobs =
            context.mayReadJobs
            ? await library.openJobs().filter { [.title, .download, .ladder].contains($0.kind) } : []
        values["jobs"] = jobs.prefix(Self.maximumJobCount).map(page.job)
        return try page.response(values, title: name, preview: preview, status: status)
    }

    /// Number of titles below one that are like it.
    private static let similarCount = 12

    /// The page of one title, which can be played.
    private func answer(
        _ title: TitleRecord, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let page = SitePage(.title, request, context)
        var shown = page.title(title)
        if context.may(.manage, context.identity.audiences.title(id: title.id)), context.principal.member != nil {
            shown["edit"] = EditingPath.title(title.id)
        }
        var values: [String: Any] = [:]
        if let club {
            try await show(club, title.id, in: &shown, request, context)
            let text = ClubText.preferred(request.headers[.acceptLanguage])
            if let done = text.notice(request) { values["notice"] = ["text": done] }
        }
        for (name, episode) in try await neighbours(of: title, context) {
            shown[name] =
                JSONText.object([
                    ("href", .string(ResourcePaths.page(ofTitle: episode.id))),
                    ("name", .string(SitePage.displayed(episode.title))),
                ]).rendered
        }
        shown["subtitles"] = await content.subtitles(of: title).map(page.subtitles)
        values["selected"] = shown
        let genre = title.details.texts(.genres)?.first
        let similar = try await newest(.film, genre: genre, page, context, limit: Self.similarCount + 1)
            .filter { $0["id"] as? String != title.id }.prefix(Self.similarCount)
        values["similar"] = Array(similar)
        values["hasSimilar"] = !similar.isEmpty
        values["similarName"] = genre == nil ? page.text.newInClub : page.text.similar
        return try page.response(
            values, title: SitePage.displayed(title.title),
            preview: page.preview(of: title, at: ResourcePaths.page(ofTitle: title.id), nil))
    }

    /// The cards of the newest titles that can be played; none for a visitor who may not see lists, or if the database
    /// does not answer in time.
    ///
    /// - Parameters:
    ///   - kind: the kind of titles.
    ///   - genre: a genre; `nil` for all.
    ///   - page: the page.
    ///   - context: who the visitor is.
    ///   - limit: the number of titles.
    func newest(
        _ kind: TitleKind, genre: String? = nil, _ page: SitePage, _ context: GatewayRequestContext, limit: Int
    ) async throws -> [[String: Any]] {
        let query = ShelfQuery(
            kind: kind, genre: genre, order: .newest, newSince: club?.newSince ?? VideoClub.alwaysNew,
            visible: context.visibleTitles)
        return try await cards(query, page, context, limit: limit)
    }

    /// The cards of titles that have some words; see ``newest(_:genre:_:_:limit:)``.
    func found(
        _ words: String, _ page: SitePage, _ context: GatewayRequestContext, limit: Int
    ) async throws -> [[String: Any]] {
        let query = ShelfQuery(
            matching: words, order: .relevance, newSince: club?.newSince ?? VideoClub.alwaysNew,
            visible: context.visibleTitles)
        return try await cards(query, page, context, limit: limit)
    }

    private func cards(
        _ query: ShelfQuery, _ page: SitePage, _ context: GatewayRequestContext, limit: Int
    ) async throws -> [[String: Any]] {
        guard showsLists(to: context) else { return [] }
        do {
            return try await content.titles(query, after: nil, limit: limit).items.map { card($0, page) }
        } catch let error as SQLError where error.code == .unavailable {
            return []
        }
    }

    /// Limit of the episodes among which the neighbours of one are looked for.
    private static let maximumEpisodeCount = 1_000

    /// The episodes before (`previousEpisode`) and after (`nextEpisode`) a title in its series.
    private func neighbours(
        of title: TitleRecord, _ context: GatewayRequestContext
    ) async throws -> [String: TitleRecord] {
        guard let series = title.seriesID else { return [:] }
        var (found, before, cursor): ([String: TitleRecord], TitleRecord?, String?) = ([:], nil, nil)
        var count = 0
        repeat {
            let page = try await content.collections.titles(
                ofSeries: series, visible: context.visibleTitles, after: cursor, limit: ListLimits.maximumSize)
            for episode in page.items.map(\.record) {
                if before?.id == title.id {
                    found["nextEpisode"] = episode
                    return found
                }
                if episode.id == title.id, let before { found["previousEpisode"] = before }
                before = episode
            }
            cursor = page.next
            count += page.items.count
        } while cursor != nil && count < Self.maximumEpisodeCount
        return found
    }

    /// Whether a visitor may see lists of titles.
    func showsLists(to context: GatewayRequestContext) -> Bool {
        club?.settings.showsLists(to: context.principal) ?? true
    }

    private func wanted(_ request: Request, _ page: SitePage, _ context: GatewayRequestContext) throws -> Wanted {
        let list = try PageRequest(request)
        let sort = PageRequest.value(of: "sort", in: request)
        let kind = PageRequest.value(of: Self.kindParameter, in: request).flatMap(TitleKind.init(rawValue:))
            .flatMap { Self.listedKinds.contains($0) ? $0 : nil }
        // A list of another kind has neither sections nor genres.
        func filter(_ name: String) -> String? { kind == nil ? PageRequest.value(of: name, in: request) : nil }
        let section = filter(Self.sectionParameter).flatMap(TitleSection.init(rawValue:))
        let genre = filter(Self.genreParameter)
        let library = RecordQuery(
            matching: list.query, order: SitePage.order(request), kind: .film, visible: context.visibleTitles)
        let shelfOrder = sort.flatMap(ShelfOrder.init(rawValue:))
        // A list without a choice has what is being prepared or has failed, too; so have those by duration.
        let isOfLibrary =
            sort.map { RecordOrder(rawValue: $0) != nil && (list.query == nil || shelfOrder == nil) }
            ?? (list.query == nil)
        guard section != nil || genre != nil || kind != nil || !isOfLibrary else {
            var choice = ListChoice.library(library.order, page.text)
            choice.orders += [ShelfOrder.price, .rating].map { ($0.rawValue, page.text.order($0)) }
            if list.query != nil { choice.usualOrder = ShelfOrder.relevance.rawValue }
            return Wanted(page: list, choice: choice, library: library)
        }
        let orders = (list.query == nil ? [] : [ShelfOrder.relevance]) + Self.shelfOrders
        let usual: ShelfOrder = list.query == nil ? .newest : .relevance
        let order = shelfOrder.flatMap { orders.contains($0) ? $0 : nil } ?? usual
        var choice = ListChoice(
            orders: orders.map { ($0.rawValue, page.text.order($0)) },
            // Without a section or genre, the list without `sort` is that of the library.
            usualOrder: section == nil && genre == nil && kind == nil && list.query == nil
                ? RecordOrder.title.rawValue : usual.rawValue, order: order.rawValue)
        if let kind { choice.filters.append((Self.kindParameter, kind.rawValue)) }
        if let section { choice.filters.append((Self.sectionParameter, section.rawValue)) }
        if let genre { choice.filters.append((Self.genreParameter, genre)) }
        return Wanted(
            page: list, choice: choice, section: section, genre: genre, kind: kind,
            shelf: ShelfQuery(
                matching: list.query, kind: kind ?? .film, section: section, genre: genre, order: order,
                newSince: club?.newSince ?? VideoClub.alwaysNew, visible: context.visibleTitles), library: library)
    }

    /// Adds a page of the list. A database that does not answer in time leaves the rest of the page as it is.
    private func list(
        _ wanted: Wanted, _ page: SitePage, _ context: GatewayRequestContext, _ values: inout [String: Any],
        _ status: inout HTTPResponse.Status
    ) async throws {
        let titles: ListPage<ListedTitle>
        let genres: [String]
        do {
            (titles, genres) = try await read(wanted, context)
        } catch let error as SQLError where error.code == .unavailable {
            status = .serviceUnavailable
            values["tooLong"] = true
            values["query"] = wanted.page.query ?? ""
            return
        }
        values = page.list(wanted.page, wanted.choice, next: titles.next, isEmpty: titles.items.isEmpty)
        values["sections"] = sections(wanted, page)
        if !genres.isEmpty, wanted.kind == nil { values["genreChoice"] = ["genres": choices(genres, wanted)] }
        if let section = wanted.section { values["section"] = section.rawValue }
        if let kind = wanted.kind { values["kind"] = kind.rawValue }
        values["titles"] = titles.items.map { card($0, page) }
    }

    private func read(
        _ wanted: Wanted, _ context: GatewayRequestContext
    ) async throws -> (ListPage<ListedTitle>, [String]) {
        let (cursor, limit) = (wanted.page.cursor, wanted.page.limit)
        let titles =
            if let shelf = wanted.shelf {
                try await content.titles(shelf, after: cursor, limit: limit)
            } else {
                try await content.listed(wanted.library, after: cursor, limit: limit)
            }
        return (titles, try await content.genres(visible: context.visibleTitles))
    }

    private func sections(_ wanted: Wanted, _ page: SitePage) -> [[String: Any]] {
        let sections: [(name: String, query: String, isCurrent: Bool)] =
            ([nil] + TitleSection.allCases).map { section in
                (
                    page.text.section(section), section.map { "?\(Self.sectionParameter)=\($0.rawValue)" } ?? "",
                    wanted.kind == nil && section == wanted.section
                )
            }
            + Self.listedKinds.map { kind in
                (page.text.list(of: kind), "?\(Self.kindParameter)=\(kind.rawValue)", kind == wanted.kind)
            }
        return sections.map { section in
            var values: [String: Any] = ["name": section.name, "address": "/videoclub\(section.query)"]
            if section.isCurrent { values["current"] = true }
            return values
        }
    }

    /// The genres to choose from. A genre that was asked for in another spelling is among them.
    private func choices(_ genres: [String], _ wanted: Wanted) -> [[String: Any]] {
        var genres = genres
        if let genre = wanted.genre, !genres.contains(genre) { genres.append(genre) }
        return genres.map { genre in
            var values: [String: Any] = ["name": SitePage.displayed(genre), "value": genre]
            if genre == wanted.genre { values["current"] = true }
            return values
        }
    }

    private func card(_ title: ListedTitle, _ page: SitePage) -> [String: Any] {
        var shown = page.title(title.record)
        if club?.entitlements.needsRental(titleID: title.record.id) == true { shown["rent"] = true }
        guard club != nil else { return shown }
        let listing = title.listing
        let text = ClubText.of(page.text.siteLanguage)
        if listing.price > 0 { shown["price"] = text.credits(listing.price) }
        if let regular = listing.regularPrice { shown["regularPrice"] = text.credits(regular) }
        addRating(listing.averageRating, of: listing.voteCount, to: &shown, text)
        return shown
    }

    /// Adds an average vote as stars; nothing without votes.
    private func addRating(_ average: Double?, of count: Int64, to values: inout [String: Any], _ text: ClubText) {
        guard let average else { return }
        values["rating"] = "★ \(text.decimal(average)) (\(count))"
        values["ratingText"] = "\(text.votes): \(text.decimal(average)) / 10 (\(count))"
    }

    /// Adds what a title costs, and the one thing to do: rent it, begin to watch, or log in for that. Visitors who have
    /// to do so first get no player.
    private func show(
        _ club: VideoClub, _ id: String, in values: inout [String: Any], _ request: Request,
        _ context: GatewayRequestContext
    ) async throws {
        let text = ClubText.preferred(request.headers[.acceptLanguage])
        let member = context.principal.member
        let offer = try await club.offer(of: id, to: member?.id)
        addRating(offer.tally.average, of: offer.tally.count, to: &values, text)
        values["club"] = ["path": ClubPath.title(id), "text": PageText(text.vote).values]
        guard offer.terms.needsRental else { return }
        values["club"] = ["path": ClubPath.title(id), "text": PageText(text.details).values]
        let state = offer.rental?.state(at: club.now)
        let isRented = state == .activated
        if !isRented, !context.may(.manage, context.identity.audiences.title(id: id)) { values["locked"] = true }
        let lasts = text.duration(offer.terms.timeToPlay ?? club.settings.timeToPlay)
        switch (offer.rental, state) {
        case (let rental?, .activated):
            if let end = rental.endsAt {
                values["note"] =
                    text.placesTaken(of: rental.id, in: club)
                    ?? text.timeRemains.filled("time", with: text.duration(end - club.now))
            }
        case (let rental?, .rented):
            values["begin"] = form(
                ClubPath.action(ClubPath.activate, id), text.activate, context, ["rental": rental.id.text])
            values["note"] = text.fromFirstPlay.filled("time", with: lasts)
        default:
            let price = text.price(offer.terms.price)
            let label = text.rentFor.filled("price", with: price)
            if let trailer = offer.terms.trailer {
                values["trailer"] = ["path": ClubPath.watch(trailer), "label": text.trailer]
            }
            guard let member else {
                let next = SitePage.queryComponent(ResourcePaths.page(ofTitle: id))
                values["ask"] = ["path": "\(AccountPath.logIn)?next=\(next)", "label": label]
                values["note"] = text.fromFirstPlay.filled("time", with: lasts)
                return
            }
            let balance = try await club.balance(of: member.id)
            guard balance >= offer.terms.price else {
                let missing = text.credits(offer.terms.price - balance)
                values["note"] = text.youNeed.filled("credits", with: missing)
                values["ask"] = ["path": ClubPath.title(id), "label": text.getCredits]
                return
            }
            // The page has a key of its own, so that pressing the button twice rents once.
            values["buy"] = form(ClubPath.action(ClubPath.rent, id), label, context, ["key": OpaqueID().text])
            let has = text.youHave.filled("credits", with: text.credits(balance))
            values["note"] = "\(has) · \(text.fromFirstPlay.filled("time", with: lasts))"
        }
    }

    private func form(
        _ action: String, _ label: String, _ context: GatewayRequestContext, _ fields: [String: String]
    ) -> [String: Any] {
        var values: [String: Any] = ["action": action, "label": label]
        if let token = context.csrfToken { values["csrf"] = token }
        return values.merging(fields) { $1 }
    }
}
