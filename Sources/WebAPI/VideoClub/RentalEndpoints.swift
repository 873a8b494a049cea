import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import VideoClub

/// Renting titles, and what becomes of rentals.
struct RentalEndpoints: Sendable {
    let context: ClubContext

    private static let reason = "the handler knows the caller's own rentals only"

    var endpoints: [Endpoint] {
        [
            Endpoint(VideoClubAPI.rentTitle, .title(.rent), handler: rent).keepingKeys,
            Endpoint(VideoClubAPI.listOwnRentals, .member(.read, reason: Self.reason)) { request, caller in
                try await list(of: try VideoClub.member(caller.caller).id, request, caller)
            },
            Endpoint(VideoClubAPI.listUserRentals, ClubContext.manages) { request, caller in
                try await list(of: try await context.user(caller), request, caller)
            },
            Endpoint(
                VideoClubAPI.getRental, .credentialed(.read, reason: "the handler asks whether the rental may be read")
            ) { _, caller in
                let club = context.club
                let rental = try await club.rental(try caller.parameters.identifier(of: "rental"))
                // Whose rental it is must not be told, nor that there is one.
                guard caller.may(.read, rental.user.map { .rental(owner: $0) } ?? Resource(.rental, audience: .invited))
                else { throw ProblemDetails(.notFound, "there is no such rental") }
                return try await context.resource(rental, club, for: caller.caller).response()
            },
            // It spends what was rented, so a token for other things must not do it.
            Endpoint(VideoClubAPI.activateRental, .member(.rent, reason: Self.reason)) { _, caller in
                try caller.require(.rent, .title())
                let club = context.club
                let rental = try await club.activate(try caller.parameters.identifier(of: "rental"), by: caller.caller)
                return try await context.resource(rental, club, for: caller.caller).response()
            },
            Endpoint(VideoClubAPI.refundRental, ClubContext.manages) { request, caller in
                let body = try await BodyFields(request, CreditNoteFields.self)
                let club = context.club
                let rental = try await club.refund(
                    try caller.parameters.identifier(of: "rental"), note: try body.text(\.note) ?? "",
                    by: caller.caller)
                return try await context.resource(rental, club, for: caller.caller).response()
            },
        ]
    }

    private func list(
        of user: UserID, _ request: Request, _ caller: GatewayRequestContext
    ) async throws -> Response {
        let page = try PageRequest(request)
        let club = context.club
        let found = try await club.rentals(of: user, after: page.cursor, limit: page.limit)
        let rentals = try await context.resources(found.items, club, for: caller.caller)
        return APIPage(rentals, next: found.next).response()
    }

    private func rent(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let club = context.club
        let outcome = try await club.rent(
            try caller.parameters.require("id"), key: try ClubContext.key(request, of: "rent", caller),
            by: caller.caller)
        // No device can have anything of a new one.
        let rental =
            outcome.isNew
            ? context.resource(outcome.rental, [], club, for: caller.caller)
            : try await context.resource(outcome.rental, club, for: caller.caller)
        var response = RentalBegunFields.object {
            [$0.rental(rental), $0.balance(Int(outcome.balance))]
        }.response(status: .created).adding(.location, "/api/v1/rentals/\(outcome.rental.id)")
        if !outcome.isNew { response.headers.noteReplay() }
        return response
    }
}
