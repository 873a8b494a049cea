import APIContract
import Accounts
import Catalogue
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import MediaCore
import VideoClub
import Workflows

/// The price of a title, and its votes: `/api/v1/titles/{id}/offer`, `/terms` and `/vote`.
struct TermsEndpoints: Sendable {
    let context: ClubContext
    let content: any TitleContent

    private static let terms = "/api/v1/titles/{id}/terms"

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/api/v1/titles/{id}/offer", .title(.read), handler: offer),
            Endpoint(.get, "/api/v1/titles/{id}/trailer", .title(.read), handler: trailer),
            Endpoint(.get, Self.terms, .title(.manage)) { _, caller in
                Self.answer(try await context.club.terms(of: try caller.parameters.require("id")))
            },
            Endpoint(.patch, Self.terms, .title(.manage), handler: change),
            Endpoint(.put, "/api/v1/titles/{id}/vote", .title(.comment)) { request, caller in
                let body = try await BodyFields(request, fields: ["rating"])
                guard let rating = try body.integer("rating") else {
                    throw Refusal(.missingFields, "these fields are required: rating", fields: ["rating"])
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
        var rental: JSONText?
        if let own = offer.rental { rental = try await context.resource(own, club, for: caller.caller) }
        let players = offer.rental.map { club.players.count(of: $0.id.text) } ?? 0
        return JSONText.object([
            ("price", .integer(Int(offer.terms.price))),
            ("regularPrice", .optional(offer.terms.regularPrice.map { Int($0) })),
            ("featured", .boolean(offer.terms.isFeatured)), ("needsRental", .boolean(offer.terms.needsRental)),
            ("minutesToStart", .optional(offer.terms.timeToStart.map(APIResources.minutes))),
            ("minutesToPlay", .integer(APIResources.minutes(timeToPlay))),
            ("playersPerRental", .integer(club.settings.playersPerRental)), ("players", .integer(players)),
            ("trailer", .optional(offer.terms.trailer)),
            ("votes", APIResources.votes(offer.tally, own: offer.ownRating)),
            ("rental", rental ?? .null),
        ]).response().adding(.cacheControl, "no-store")
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
        return JSONText.object([
            ("title", .string(id)), ("name", .string(trailer.title)),
            ("playlist", .string(context.publicAddress?.url(path) ?? path)),
        ]).response()
    }

    /// The body is a JSON merge patch (RFC 7396): a time that is null is that of the club, a trailer or regular price
    /// that is null is none.
    private func change(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let (club, id) = (context.club, try caller.parameters.require("id"))
        let change = try Self.change(try await BodyFields(request, fields: TermsChange.fields))
        // What is not there answers 404, with If-Match and without.
        _ = try await club.terms(of: id)
        let revisions = try IfMatch.required(in: request).revisions
        return Self.answer(
            try await club.setTerms(of: id, from: revisions, by: caller.caller) { change.apply(to: &$0) })
    }

    /// - Throws: `Refusal`
    private static func change(_ body: BodyFields) throws -> TermsChange {
        var change = TermsChange()
        change.price = try body.integer("price").map { Int64($0) }
        change.isFeatured = try body.flag("featured")
        change.asksForFreeRental = try body.flag("asksForFreeRental")
        if body.has("regularPrice") { change.regularPrice = .some(try body.integer("regularPrice").map { Int64($0) }) }
        if body.has("minutesToStart") { change.timeToStart = .some(try time("minutesToStart", body)) }
        if body.has("minutesToPlay") { change.timeToPlay = .some(try time("minutesToPlay", body)) }
        if body.has("trailer") { change.trailer = .some(try body.text("trailer")) }
        return change
    }

    /// - Throws: `Refusal`
    private static func time(_ name: String, _ body: BodyFields) throws -> Duration? {
        guard let minutes = try body.integer(name) else { return nil }
        guard let time = TermsChange.time(minutes: minutes) else {
            throw Refusal(.invalidField, "the field `\(name)` is too large", fields: [name])
        }
        return time
    }
}
