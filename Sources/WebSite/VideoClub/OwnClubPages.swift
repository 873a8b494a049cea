import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
import VideoClub

/// A member's rentals, and the history of the member's credits.
struct OwnClubPages: Sendable {
    let pages: AccountPages
    let club: VideoClub
    /// Offline copies of rentals; `nil` for a server without any.
    let copies: OfflineCopies?

    /// The rentals of a page whose renditions are listed: each takes the server some milliseconds.
    private static let maximumOfferCount = 5
    private static let own = AccessRule.member(.session, reason: "the visitor's own rentals and credits")

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, ClubPath.myTitles, Self.own, handler: titles),
            Endpoint(.get, ClubPath.myCredits, Self.own, handler: credits),
        ]
    }

    private func titles(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let member = try VideoClub.member(context.caller)
        let text = ClubText.preferred(request.headers[.acceptLanguage])
        let wanted = try PageRequest(request)
        let page = try await club.rentals(of: member.id, after: wanted.cursor, limit: wanted.limit)
        var section = PageSection(text: page.items.isEmpty ? text.noTitles : nil)
        section.items = try await items(of: page.items, text)
        section.links = [(ClubPath.myCredits, text.myCredits)]
        if let next = page.next { section.links.append(("\(ClubPath.myTitles)?cursor=\(next)", text.more)) }
        return try pages.answer(text.myTitles, [section], request, context)
    }

    private func items(of rentals: [Rental], _ text: ClubText) async throws -> [PageSection.Item] {
        let now = club.now
        let onDevices = try await club.copiesOnDevices(of: rentals)
        var (items, offerCount) = ([PageSection.Item](), 0)
        for rental in rentals {
            let state = rental.state(at: now)
            let end: PageText? = rental.endsAt.map { ", \(text.watchUntil.lowercased()) \(text.time($0))" }
            var item = PageSection.Item(
                text: rental.titleName,
                detail: PageText(
                    joining: [PageText(text.states[state] ?? state.rawValue), state == .activated ? end : nil], with: ""
                ),
                links: state == .refunded ? [] : [(ClubPath.title(rental.titleID), text.watch)])
            if let copies, [.rented, .activated].contains(state) {
                item.notes.append(text.copies(onDevices[rental.id] ?? []))
                if offerCount < Self.maximumOfferCount {
                    offerCount += 1
                    // A title that cannot be read at the moment is listed without them.
                    let renditions = (try? await copies.renditions(for: rental, device: nil)) ?? []
                    if !renditions.isEmpty { item.notes.append(text.renditions(renditions.map(\.rendition))) }
                }
                item.notes.append(text.howToDownload)
                item.command = "antena download \(rental.id)"
            }
            items.append(item)
        }
        return items
    }

    private func credits(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let member = try VideoClub.member(context.caller)
        let text = ClubText.preferred(request.headers[.acceptLanguage])
        let wanted = try PageRequest(request)
        let (balance, page) = try await club.movements(of: member.id, after: wanted.cursor, limit: wanted.limit)
        var section = PageSection(
            text: page.items.isEmpty ? text.noMovements : "\(text.balance): \(text.credits(balance))")
        section.items = page.items.map { movement in
            let note = movement.note.isEmpty ? "" : " · \(movement.note)"
            return .init(
                text: "\(movement.amount > 0 ? "+" : "")\(movement.amount) · \(text.reasons[movement.reason] ?? "")",
                detail: "\(text.time(movement.happenedAt))\(note)")
        }
        section.links = [(ClubPath.myTitles, text.myTitles), ("/api/v1/me/credits.csv", text.asTable)]
        if let next = page.next { section.links.append(("\(ClubPath.myCredits)?cursor=\(next)", text.more)) }
        var ending = PageSection(heading: text.ending, text: text.endingText)
        ending.items = try await club.expiringCredits(of: member.id).map {
            .init(text: text.credits($0.amount), detail: "\(text.until) \(text.time($0.expiresAt))")
        }
        var sections = ending.items.isEmpty ? [section] : [ending, section]
        if let purchase = text.purchase(club.settings.purchase, for: member.username) {
            sections.insert(purchase, at: 0)
        }
        return try pages.answer(text.myCredits, sections, request, context)
    }
}
