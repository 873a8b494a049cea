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

/// The lists of the video club: sections, genres and search.
struct VideoClubPage: Sendable {
    let content: any ContentSource
    let library: any LibraryJobControl
    /// The source of rentals; `nil` for a server without a video club.
    let club: VideoClub?
    /// The shares of titles that a member has watched; `nil` for a server without accounts.
    let watched: (@Sendable (GatewayRequestContext) async throws -> [String: Double])?

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

    /// - Parameter title: answers with the page of a title that can be played.
    func answer(
        _ request: Request, _ page: SitePage, _ context: GatewayRequestContext,
        title answer: (TitleRecord) async throws -> Response
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
            if let title, title.state == .ready { return try await answer(title) }
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

    /// The cards of the newest titles that can be played; none for a visitor who may not see lists, or if the database
    /// does not answer in time.
    ///
    /// - Parameters:
    ///   - kind: the kind of titles.
    ///   - genre: a genre; `nil` for all.
    ///   - channel: the channel whose recordings are wanted; `nil` for all.
    ///   - page: the page.
    ///   - context: who the visitor is.
    ///   - limit: the number of titles.
    func newest(
        _ kind: TitleKind, genre: String? = nil, channel: String? = nil, _ page: SitePage,
        _ context: GatewayRequestContext, limit: Int
    ) async throws -> [[String: Any]] {
        let query = ShelfQuery(
            kind: kind, genre: genre, channel: channel, order: .newest, newSince: club?.newSince ?? VideoClub.alwaysNew,
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
            let watched = try await watched?(context) ?? [:]
            return try await content.titles(query, after: nil, limit: limit).items.map { card($0, watched, page) }
        } catch let error as SQLError where error.code == .unavailable {
            return []
        }
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
        let watched = try await watched?(context) ?? [:]
        values["titles"] = titles.items.map { card($0, watched, page) }
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

    /// - Parameter watched: the shares of titles that the visitor has watched, by their IDs.
    private func card(_ title: ListedTitle, _ watched: [String: Double], _ page: SitePage) -> [String: Any] {
        var shown = page.title(title.record)
        // A value of its own, because a template looks for a missing one in what is around it.
        shown["seen"] = watched[title.record.id].map { "\($0)" } ?? false
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
    func addRating(_ average: Double?, of count: Int64, to values: inout [String: Any], _ text: ClubText) {
        guard let average else { return }
        values["rating"] = "★ \(text.decimal(average)) (\(count))"
        values["ratingText"] = "\(text.votes): \(text.decimal(average)) / 10 (\(count))"
    }
}
