import APIContract
import APIDeclarations
import Accounts
import Catalogue
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import VideoClub
import Workflows

/// The price of a title, and its votes: `/api/v1/titles/{id}/offer`, `/terms` and `/vote`.
struct TermsEndpoints: Sendable {
    let context: ClubContext
    let content: any TitleContent

    var endpoints: [Endpoint] {
        [
            Endpoint(VideoClubAPI.getOffer, .title(.read), handler: offer),
            Endpoint(VideoClubAPI.getTrailer, .title(.read), handler: trailer),
            Endpoint(VideoClubAPI.getTerms, .title(.manage)) { _, caller in
                Self.answer(try await context.club.terms(of: try caller.parameters.require("id")))
            },
            Endpoint(VideoClubAPI.changeTerms, .title(.manage), handler: change),
            Endpoint(VideoClubAPI.voteForTitle, .title(.comment)) { request, caller in
                let body = try await BodyFields(request, VoteFields.self)
                guard let rating = try body.integer(\.rating) else {
                    throw Refusal.missing(["rating"])
                }
                let tally = try await context.club.vote(
                    rating, for: try caller.parameters.require("id"), by: caller.caller)
                return APIResources.votes(tally, own: rating).response()
            },
        ]
    }

    private static func answer(_ terms: TitleTerms) -> Response {
        APIResources.terms(terms).response().adding(.eTag, EntityTag(terms.revision).field)
    }

    private func offer(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let (club, id) = (context.club, try caller.parameters.require("id"))
        let offer = try await club.offer(of: id, to: caller.principal.member?.id)
        let timeToPlay = offer.terms.timeToPlay ?? club.settings.timeToPlay
        var rental: APIObject<RentalFields>?
        if let own = offer.rental { rental = try await context.resource(own, club, for: caller.caller) }
        let players = offer.rental.map { club.players.count(of: $0.id.text) } ?? 0
        return OfferFields.object { fields in
            [
                fields.price(Int(offer.terms.price)), fields.regularPrice(offer.terms.regularPrice.map { Int($0) }),
                fields.featured(offer.terms.isFeatured), fields.needsRental(offer.terms.needsRental),
                fields.minutesToStart(offer.terms.timeToStart.map(APIResources.minutes)),
                fields.minutesToPlay(APIResources.minutes(timeToPlay)),
                fields.playersPerRental(club.settings.playersPerRental), fields.players(players),
                fields.trailer(offer.terms.trailer),
                fields.votes(APIResources.votes(offer.tally, own: offer.ownRating)), fields.rental(rental),
            ]
        }.response().adding(.cacheControl, "no-store")
    }

    /// Answers with the address of the trailer. Each reason for which it does not has a type of its own.
    private func trailer(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let club = context.club
        guard let id = try await club.terms(of: try caller.parameters.require("id")).trailer else {
            throw ProblemDetails(.notFound, "the title has no trailer", type: .noTrailer)
        }
        guard club.settings.trailers == .everybody || caller.principal != .anonymous else {
            club.statistics.add(.membersOnly)
            throw Refusal(.loginNeeded, "trailers are for members; log in")
        }
        guard let trailer = try await content.title(id: id), caller.may(.read, caller.identity.audiences.title(id: id))
        else { throw ProblemDetails(.notFound, "the title has no trailer", type: .noTrailer) }
        switch trailer.state {
        case .ready: break
        case .failed:
            throw ProblemDetails(
                .notFound, "the trailer cannot be played: \(trailer.error ?? "its file was not prepared")",
                type: .trailerDamaged)
        default: throw ProblemDetails(.notFound, "the trailer is not ready yet", type: .noTrailer)
        }
        let path = "/vod/\(id)/playlist.m3u8"
        return TrailerFields.object {
            [$0.title(id), $0.name(trailer.title), $0.playlist(context.publicAddress?.url(path) ?? path)]
        }.response()
    }

    /// The body is a JSON merge patch (RFC 7396): a time that is null is that of the club, a trailer or regular price
    /// that is null is none.
    private func change(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let (club, id) = (context.club, try caller.parameters.require("id"))
        let change = try Self.change(try await BodyFields(request, TermsChangeFields.self))
        // What is not there answers 404, with If-Match and without.
        _ = try await club.terms(of: id)
        let revisions = try IfMatch.required(in: request).revisions
        return Self.answer(
            try await club.setTerms(of: id, from: revisions, by: caller.caller) { change.apply(to: &$0) })
    }

    /// - Throws: `Refusal`
    private static func change(_ body: BodyFields<TermsChangeFields>) throws -> TermsChange {
        var change = TermsChange()
        change.price = try body.integer(\.price).map { Int64($0) }
        change.isFeatured = try body.flag(\.featured)
        change.asksForFreeRental = try body.flag(\.asksForFreeRental)
        if body.has(\.regularPrice) { change.regularPrice = .some(try body.integer(\.regularPrice).map { Int64($0) }) }
        if body.has(\.minutesToStart) { change.timeToStart = .some(try time(\.minutesToStart, body)) }
        if body.has(\.minutesToPlay) { change.timeToPlay = .some(try time(\.minutesToPlay, body)) }
        if body.has(\.trailer) { change.trailer = .some(try body.text(\.trailer)) }
        return change
    }

    /// - Throws: `Refusal`
    private static func time(
        _ field: KeyPath<TermsChangeFields, Field<Int?>>, _ body: BodyFields<TermsChangeFields>
    ) throws -> Duration? {
        guard let minutes = try body.integer(field) else { return nil }
        guard let time = TermsChange.time(minutes: minutes) else {
            let name = TermsChangeFields.fields[keyPath: field].name
            throw Refusal(.invalidField, "the field `\(name)` is too large", fields: [name])
        }
        return time
    }
}
