import Accounts
import Catalogue
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LibraryDetails
import MediaCore
import PlaybackPositions
import SiteTexts
import VideoClub
import Workflows

/// The page of one title that can be played: what it is, the one thing to do, and what goes with it. Renting, starting,
/// watching and voting happen here.
struct TitlePage: Sendable {
    let lists: VideoClubPage
    /// Finds the place up to which a member has watched a title; `nil` for a server without accounts.
    let position: SiteEndpoints.Position?

    private var content: any ContentSource { lists.content }
    private var club: VideoClub? { lists.club }

    /// Number of titles below one that are like it.
    private static let similarCount = 12
    /// Number of episodes before a title, and after it, on its page.
    private static let episodeCount = 12
    /// Limit of the episodes among which the neighbours of one are looked for.
    private static let maximumEpisodeCount = 1_000

    func answer(_ title: TitleRecord, _ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let page = SitePage(.title, request, context)
        let text = ClubText.preferred(request.headers[.acceptLanguage])
        var shown = page.title(title)
        shown["talk"] = ForumPath.title + SitePage.queryComponent(title.id)
        if context.may(.manage, context.identity.audiences.title(id: title.id)), context.principal.member != nil {
            shown["edit"] = EditingPath.title(title.id)
        }
        var values: [String: Any] = ["dialogClose": text.close]
        if let club {
            try await addOffer(of: title, in: club, to: &shown, page, text, context)
            if let done = text.notice(request) { values["notice"] = ["text": done] }
        }
        if shown["locked"] == nil { shown["play"] = try await playLabel(title, text, context) }
        let episodes = try await Episodes(of: title, content, context)
        for (name, episode) in [("previousEpisode", episodes.previous), ("nextEpisode", episodes.next)] {
            guard let episode else { continue }
            shown[name] =
                JSONText.object([
                    ("href", .string(ResourcePaths.page(ofTitle: episode.id))),
                    ("name", .string(SitePage.displayed(episode.title))),
                ]).rendered
        }
        let subtitles = await content.subtitles(of: title)
        shown["subtitles"] = subtitles.map(page.subtitles)
        if !subtitles.isEmpty {
            shown["subtitleNames"] = subtitles.map { SitePage.displayed($0.label) }.joined(separator: ", ")
        }
        shown["share"] = [
            "address": page.url(ResourcePaths.page(ofTitle: title.id), nil), "name": SitePage.displayed(title.title),
            "text": text.share, "copied": text.copied,
        ]
        if shown["recordedChannel"] != nil { shown["scoreWords"] = ScoreboardPages.words(page.text.language) }
        values["selected"] = shown
        if let series = title.seriesID, let name = title.details.text(.series), episodes.around.count > 1 {
            values["episodes"] =
                [
                    "name": SitePage.displayed(name), "path": CollectionPath.series(series),
                    "items": episodes.around.map { episode in
                        page.title(episode).merging(["current": episode.id == title.id, "seen": false]) { $1 }
                    },
                ] as [String: Any]
        }
        try await addSimilar(to: title, &values, page, context)
        return try page.response(
            values, title: SitePage.displayed(title.title),
            preview: page.preview(of: title, at: ResourcePaths.page(ofTitle: title.id), nil))
    }

    private func addSimilar(
        to title: TitleRecord, _ values: inout [String: Any], _ page: SitePage, _ context: GatewayRequestContext
    ) async throws {
        let genre = title.details.texts(.genres)?.first
        let similar = try await lists.newest(.film, genre: genre, page, context, limit: Self.similarCount + 1)
            .filter { $0["id"] as? String != title.id }.prefix(Self.similarCount)
        values["similar"] = Array(similar)
        values["hasSimilar"] = !similar.isEmpty
        values["similarName"] = genre == nil ? page.text.newInClub : page.text.similar
    }

    /// The text of the main button of a title that plays for the visitor.
    private func playLabel(
        _ title: TitleRecord, _ text: ClubText, _ context: GatewayRequestContext
    ) async throws -> String {
        guard let found = try await position?(context, title.id), !found.isFinished else { return text.watch }
        return text.continueAt.filled("time", with: PlayingTime.text(found.position.seconds))
    }

    // MARK: The video club

    /// Adds what a title costs, and the one thing to do: rent it, begin to watch, or log in for that. Visitors who have
    /// to do so first get no player.
    private func addOffer(
        of title: TitleRecord, in club: VideoClub, to values: inout [String: Any], _ page: SitePage, _ text: ClubText,
        _ context: GatewayRequestContext
    ) async throws {
        let (id, member) = (title.id, context.principal.member)
        let offer = try await club.offer(of: id, to: member?.id)
        lists.addRating(offer.tally.average, of: offer.tally.count, to: &values, text)
        values["club"] = ["path": ClubPath.title(id)]
        if member != nil, offer.ownRating == nil || club.settings.votesMayChange {
            values["rate"] = rating(of: id, offer, text, context)
        }
        let balance: Int64? = if let member { try await club.balance(of: member.id) } else { nil }
        let step = TitleStep(offer, balance: balance, at: club.now)
        if !step.mayWatch {
            if !context.may(.manage, context.identity.audiences.title(id: id)) { values["locked"] = true }
            try await addTrailer(of: offer, to: &values, page, text, context)
        }
        let lasts = text.fromFirstPlay.filled(
            "time", with: text.duration(offer.terms.timeToPlay ?? club.settings.timeToPlay))
        let price = text.price(offer.terms.price)
        let label = text.rentFor.filled("price", with: price)
        switch step {
        case .watchFreely: break
        case .watch(let rental):
            guard let end = rental.endsAt else { return }
            values["note"] =
                text.placesTaken(of: rental.id, in: club)
                ?? text.timeRemains.filled("time", with: text.duration(end - club.now))
        case .begin(let rental):
            values["begin"] = form(
                ClubPath.action(ClubPath.activate, id), text.activate, context, ["rental": rental.id.text])
            values["note"] = lasts
        case .logIn:
            let next = SitePage.queryComponent(ResourcePaths.page(ofTitle: id))
            values["ask"] = ["path": "\(AccountPath.logIn)?next=\(next)", "label": label]
            values["note"] = lasts
        case .getCredits(let missing, _):
            values["note"] = text.youNeed.filled("credits", with: text.credits(missing))
            values["ask"] = ["path": ClubPath.title(id), "label": text.getCredits]
        case .rent(let balance):
            // The page has a key of its own, so that pressing the button twice rents once.
            values["buy"] = form(ClubPath.action(ClubPath.rent, id), label, context, ["key": OpaqueID().text])
            values["note"] = "\(text.youHave.filled("credits", with: text.credits(balance))) · \(lasts)"
        }
        if let regular = offer.terms.regularPrice { values["regularPrice"] = text.credits(regular) }
    }

    /// Adds the trailer, which plays in a dialog of the page; nothing without one that the visitor may watch.
    private func addTrailer(
        of offer: TitleOffer, to values: inout [String: Any], _ page: SitePage, _ text: ClubText,
        _ context: GatewayRequestContext
    ) async throws {
        guard let id = offer.terms.trailer, context.may(.read, context.identity.audiences.title(id: id)),
            let trailer = try await content.title(id: id), trailer.state == .ready
        else { return }
        var shown: [String: Any] = ["path": ClubPath.watch(id), "label": text.trailer, "id": id]
        shown["playlist"] = ResourcePaths.playlist(trailer)
        shown["poster"] = ResourcePaths.poster(trailer) ?? false
        values["trailer"] = shown
    }

    private func rating(
        of id: String, _ offer: TitleOffer, _ text: ClubText, _ context: GatewayRequestContext
    ) -> [String: Any] {
        form(ClubPath.action(ClubPath.vote, id), text.vote, context, [:]).merging([
            "heading": text.rating,
            "own": offer.ownRating.map { "\(text.yourRating): \($0)" } ?? "",
            "ratings": VoteTally.ratings.map { ["value": $0, "current": $0 == offer.ownRating] as [String: Any] },
        ]) { $1 }
    }

    private func form(
        _ action: String, _ label: String, _ context: GatewayRequestContext, _ fields: [String: String]
    ) -> [String: Any] {
        var values: [String: Any] = ["action": action, "label": label]
        if let token = context.csrfToken { values["csrf"] = token }
        return values.merging(fields) { $1 }
    }

    // MARK: The series

    /// The episodes of a title's series around it.
    private struct Episodes {
        var previous: TitleRecord?
        var next: TitleRecord?
        /// The title with those before and after it, in their order.
        var around: [TitleRecord] = []

        /// - Parameters:
        ///   - title: the title; one without a series has no episodes.
        ///   - content: the library.
        ///   - context: who the visitor is.
        init(of title: TitleRecord, _ content: any ContentSource, _ context: GatewayRequestContext) async throws {
            guard let series = title.seriesID else { return }
            var (before, count, cursor) = ([TitleRecord](), 0, String?.none)
            repeat {
                let page = try await content.collections.titles(
                    ofSeries: series, visible: context.visibleTitles, after: cursor, limit: ListLimits.maximumSize)
                for episode in page.items.map(\.record) {
                    if !around.isEmpty {
                        if next == nil { next = episode }
                        around.append(episode)
                        if around.count > before.count + TitlePage.episodeCount { return }
                    } else if episode.id == title.id {
                        previous = before.last
                        around = before + [episode]
                    } else {
                        before = before.suffix(TitlePage.episodeCount - 1) + [episode]
                    }
                }
                cursor = page.next
                count += page.items.count
            } while cursor != nil && count < TitlePage.maximumEpisodeCount
        }
    }
}
