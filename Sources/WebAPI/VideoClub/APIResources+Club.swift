import Accounts
import HTTPEndpoints
import JSONDocument
import MediaCore
import VideoClub

extension APIResources {
    /// The JSON of a rental.
    ///
    /// - Parameters:
    ///   - rental: the rental.
    ///   - now: the time at which its state is wanted.
    ///   - playlist: where the title is watched; `nil` before the activation and after the end.
    ///   - copies: what devices have of it; `nil` leaves that out.
    static func rental(
        _ rental: Rental, at now: WallClockTime, playlist: String?, copies: [CopyOnDevice]? = nil
    ) -> JSONText {
        var fields: [JSONText.Field] = [
            ("id", .string(rental.id.text)), ("title", .string(rental.titleID)), ("name", .string(rental.titleName)),
            ("price", .integer(Int(rental.price))), ("state", .string(rental.state(at: now).rawValue)),
            ("rentedAt", time(rental.rentedAt)), ("startsBefore", time(rental.startsBefore)),
            ("minutesToPlay", .integer(minutes(rental.timeToPlay))), ("activatedAt", time(rental.activatedAt)),
            ("endsAt", time(rental.endsAt)), ("endReason", .optional(rental.endReason(at: now)?.rawValue)),
            ("playlist", .optional(playlist)),
        ]
        if let copies { fields.append(("offline", offline(copies))) }
        return .object(fields)
    }

    private static func offline(_ copies: [CopyOnDevice]) -> JSONText {
        .object([
            ("state", .string(copies.state.rawValue)),
            (
                "devices",
                .array(
                    copies.map { copy in
                        .object([
                            ("id", .string(copy.device.text)), ("name", .string(copy.deviceName)),
                            ("rendition", .string(copy.rendition)), ("state", .string(copy.state.rawValue)),
                            ("changedAt", time(copy.changedAt)),
                        ])
                    })
            ),
        ])
    }

    /// The JSON of a movement of credits, from the member's view.
    static func movement(_ movement: CreditMovement) -> JSONText {
        .object([
            ("id", .string(movement.id.text)), ("reason", .string(movement.reason.rawValue)),
            ("amount", .integer(Int(movement.amount))), ("balance", .integer(Int(movement.balance))),
            ("note", .string(movement.note)), ("rental", .optional(movement.rental?.text)),
            ("reverses", .optional(movement.reverses?.text)), ("happenedAt", time(movement.happenedAt)),
            ("expiresAt", time(movement.expiresAt)),
        ])
    }

    /// The JSON of credits that end, soonest first.
    static func expiring(_ credits: [ExpiringCredits]) -> JSONText {
        .array(
            credits.map { .object([("amount", .integer(Int($0.amount))), ("expiresAt", time($0.expiresAt))]) })
    }

    /// The JSON of a member's vote.
    static func vote(_ vote: MemberVote) -> JSONText {
        .object([
            ("title", .string(vote.title)), ("name", .string(vote.name)), ("rating", .integer(vote.rating)),
            ("votedAt", time(vote.votedAt)),
        ])
    }

    /// The JSON of the terms of a title.
    static func terms(_ terms: TitleTerms) -> JSONText {
        .object([
            ("price", .integer(Int(terms.price))), ("regularPrice", .optional(terms.regularPrice.map { Int($0) })),
            ("featured", .boolean(terms.isFeatured)), ("asksForFreeRental", .boolean(terms.asksForFreeRental)),
            ("minutesToStart", .optional(terms.timeToStart.map(minutes))),
            ("minutesToPlay", .optional(terms.timeToPlay.map(minutes))), ("trailer", .optional(terms.trailer)),
        ])
    }

    static func votes(_ tally: VoteTally, own: Int?) -> JSONText {
        .object([
            ("count", .integer(Int(tally.count))), ("average", .optional(tally.average)), ("own", .optional(own)),
        ])
    }

    static func minutes(_ time: Duration) -> Int { Int(time.seconds) / 60 }
}
