import Accounts
import Catalogue
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LibraryDetails
import MediaCore
import SiteTexts
import VideoClub
import Workflows

/// The page of a title on which it is rented, started and voted for. All of it works without a script: each form leads
/// back to the page, so that a reload repeats nothing.
struct RentalPages: Sendable {
    let pages: AccountPages
    let content: any TitleContent
    let club: VideoClub

    private static let own = AccessRule.member(.session, reason: "the handler knows the visitor's own rentals only")
    private static let keyField = "key"

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "\(ClubPath.titles){id}", .title(.read), handler: show),
            Endpoint(.get, "\(ClubPath.titles){id}/\(ClubPath.rent)", .title(.rent), handler: confirm),
            Endpoint(.post, "\(ClubPath.titles){id}/\(ClubPath.rent)", .title(.rent)) { request, context in
                try await change(request, context, notice: ClubPath.rent) { id, sent in
                    let key = sent.text(Self.keyField).map { RequestKey($0, of: "rent", by: context.caller) }
                    _ = try await club.rent(id, key: key, by: context.caller)
                }
            },
            Endpoint(.post, "\(ClubPath.titles){id}/\(ClubPath.activate)", Self.own) { request, context in
                try await change(request, context, notice: ClubPath.activate) { _, sent in
                    guard let rental = OpaqueID(parsing: sent["rental"] ?? "") else {
                        throw Refusal(.notFound, "there is no such rental")
                    }
                    _ = try await club.activate(rental, by: context.caller)
                }
            },
            Endpoint(.post, "\(ClubPath.titles){id}/\(ClubPath.vote)", .title(.comment)) { request, context in
                try await change(request, context, notice: ClubPath.vote) { id, sent in
                    _ = try await club.vote(Int(sent["rating"] ?? "") ?? 0, for: id, by: context.caller)
                }
            },
        ]
    }

    private func text(_ request: Request) -> ClubText { .preferred(request.headers[.acceptLanguage]) }

    private func change(
        _ request: Request, _ context: GatewayRequestContext, notice: String,
        _ body: (_ title: String, _ sent: FormFields) async throws -> Void
    ) async throws -> Response {
        let id = try context.parameters.require("id")
        let sent = try await FormFields(request)
        do {
            try await body(id, sent)
            // The title's own page has the same forms.
            let page = sent["page"] == "title" ? "\(ClubPath.watch(id))&" : "\(ClubPath.title(id))?"
            return pages.redirect("\(page)\(ClubPath.noticeParameter)=\(notice)")
        } catch let error as Refusal {
            return try await page(id, error: error, request, context)
        }
    }

    private func show(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        try await page(try context.parameters.require("id"), request, context)
    }

    /// The page to which the button leads: what the rental costs, and what is left afterwards.
    private func confirm(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let id = try context.parameters.require("id")
        guard let title = try await content.title(id: id) else { throw ProblemDetails(.notFound) }
        let member = try VideoClub.member(context.caller)
        let (text, offer) = (text(request), try await club.offer(of: id, to: member.id))
        let balance = try await club.balance(of: member.id)
        switch offer.rental?.state(at: club.now) {
        case .rented, .activated: return pages.redirect(ClubPath.title(id))
        case .expired, .refunded, nil: break
        }
        guard offer.terms.needsRental else { return pages.redirect(ClubPath.title(id)) }
        var section = PageSection(heading: title.title)
        section.items = [
            .init(text: text.price, detail: PageText(text.price(offer.terms.price))),
            .init(
                text: text.perRental,
                detail: PageText(text.duration(offer.terms.timeToPlay ?? club.settings.timeToPlay))),
            .init(text: text.balance, detail: PageText(text.credits(balance))),
        ]
        section.links = [(ClubPath.title(id), text.back)]
        guard balance >= offer.terms.price else {
            section.text = "\(text.notEnough) \(text.credits(offer.terms.price - balance))."
            let purchase = text.purchase(club.settings.purchase, for: member.username)
            return try pages.answer(text.confirm, [section] + [purchase].compactMap(\.self), request, context)
        }
        section.text = text.confirmText
        section.items.append(
            .init(text: text.balanceAfter, detail: PageText(text.credits(balance - offer.terms.price))))
        // The page has a key of its own, so that pressing the button twice rents once.
        section.forms = [
            PageForm(
                action: ClubPath.action(ClubPath.rent, id),
                fields: [.init(name: Self.keyField, label: "", type: "hidden", value: OpaqueID().text)],
                button: "\(text.rentNow) (\(text.price(offer.terms.price)))")
        ]
        return try pages.answer(text.confirm, [section], request, context)
    }

    private func page(
        _ id: String, error: Refusal? = nil, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        guard let title = try await content.title(id: id) else { throw ProblemDetails(.notFound) }
        let text = text(request)
        let member = context.principal.member
        let offer = try await club.offer(of: id, to: member?.id)
        let balance: Int64? = if let member { try await club.balance(of: member.id) } else { nil }
        var about = rental(of: id, offer, balance: balance, text, context)
        if let series = title.seriesID, let name = title.details.text(.series) {
            about.links.append((CollectionPath.series(series), SitePage.displayed(name)))
        }
        let page = SitePage(.account, request, context)
        about.share = .init(
            address: page.url(ClubPath.title(id), pages.publicAddress), name: title.title, text: text.share,
            copied: text.copied)
        var sections = [about]
        // Before somebody presses the button in vain.
        if let member, case .getCredits = TitleStep(offer, balance: balance, at: club.now),
            let purchase = text.purchase(club.settings.purchase, for: member.username)
        {
            sections.append(purchase)
        }
        sections.append(votes(for: id, offer, text, isMember: member != nil))
        let notice = text.notice(request)
        return try pages.answer(
            title.title, sections, error: error.map { Self.sentence($0, text) }, notice: error == nil ? notice : nil,
            preview: page.preview(of: title, at: ClubPath.title(id), pages.publicAddress), request, context,
            status: error.map { ProblemDetails($0).status } ?? .ok)
    }

    /// The message for a visitor; the reasons of errors are in English.
    private static func sentence(_ error: Refusal, _ text: ClubText) -> String {
        switch error.code {
        case .notEnoughCredits: "\(text.notEnough) \(text.credits(Self.missing(error)))."
        case .alreadyRented: text.rented
        case .alreadyVoted: text.alreadyVoted
        case .notARenter: text.notARenter
        case .rentalEnded: text.over
        case .invalidField: text.rating
        default: text.language == .english ? "\(error.reason)." : text.notDone
        }
    }

    private static func missing(_ error: Refusal) -> Int64 {
        guard case .number(let missing) = error.facts["missing"] else { return 0 }
        return missing
    }

    // MARK: Parts

    private func rental(
        of id: String, _ offer: TitleOffer, balance: Int64?, _ text: ClubText, _ context: GatewayRequestContext
    ) -> PageSection {
        let timeToPlay = offer.terms.timeToPlay ?? club.settings.timeToPlay
        var section = PageSection(heading: text.rent)
        let usual = offer.terms.regularPrice.map { " (\(text.usually) \(text.credits($0)))" }
        section.items.append(.init(text: text.price, detail: PageText(text.price(offer.terms.price) + (usual ?? ""))))
        if offer.terms.needsRental {
            section.items.append(.init(text: text.perRental, detail: PageText(text.duration(timeToPlay))))
        }
        if let balance { section.items.append(.init(text: text.balance, detail: PageText(text.credits(balance)))) }
        if let trailer = offer.terms.trailer {
            section.links.append((ClubPath.watch(trailer), text.trailer))
        } else if offer.terms.needsRental {
            section.unavailable = text.noTrailer
        }
        switch TitleStep(offer, balance: balance, at: club.now) {
        case .watchFreely:
            section.links.append((ClubPath.watch(id), text.watch))
            return section
        case .watch(let rental):
            if let end = rental.endsAt {
                section.text = text.placesTaken(of: rental.id, in: club) ?? section.text
                section.items.append(.init(text: text.watchUntil, detail: text.time(end)))
                section.countdown = .init(
                    label: text.timeLeft, end: text.timestamp(end), text: text.duration(end - club.now))
            }
            section.links.append((ClubPath.watch(id), text.watch))
        case .begin(let rental):
            section.text = "\(text.activateText) \(text.duration(rental.timeToPlay))."
            if let time = rental.startsBefore {
                section.items.append(.init(text: text.startBefore, detail: text.time(time)))
            }
            section.forms = [
                PageForm(
                    action: ClubPath.action(ClubPath.activate, id),
                    fields: [.init(name: "rental", label: "", type: "hidden", value: rental.id.text)],
                    button: text.activate)
            ]
        case .logIn:
            if offer.rental != nil { section.text = text.over }
            section.links.append(("\(AccountPath.logIn)?next=\(ClubPath.title(id))", text.logIn))
        case .rent, .getCredits:
            if offer.rental != nil { section.text = text.over }
            section.button = (
                ClubPath.action(ClubPath.rent, id), "\(text.rentNow) (\(text.price(offer.terms.price)))"
            )
        }
        if balance != nil { section.links.append((ClubPath.myTitles, text.myTitles)) }
        return section
    }

    private func votes(for id: String, _ offer: TitleOffer, _ text: ClubText, isMember: Bool) -> PageSection {
        var section = PageSection(heading: text.votes)
        if let average = offer.tally.average {
            section.text = "\(text.decimal(average)) / 10 (\(offer.tally.count))"
        } else {
            section.text = text.noVotes
        }
        if let own = offer.ownRating { section.items.append(.init(text: text.yourRating, detail: "\(own)")) }
        guard isMember, offer.ownRating == nil || club.settings.votesMayChange else { return section }
        section.forms = [
            PageForm(
                action: ClubPath.action(ClubPath.vote, id),
                fields: [
                    .init(
                        name: "rating", label: text.rating, type: "select", value: "\(offer.ownRating ?? 8)",
                        options: VoteTally.ratings.map { ("\($0)", "\($0)") })
                ], button: text.vote)
        ]
        return section
    }
}
