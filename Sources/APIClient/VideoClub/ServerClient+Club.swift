package import APIContract
package import APIDeclarations

extension ServerClient {
    /// Gives credits to a member, and returns the movement.
    ///
    /// - Parameters:
    ///   - amount: the credits.
    ///   - user: the member's username or e-mail address.
    ///   - reason: `top-up`, `payment` or `gift`.
    ///   - note: a text for both sides.
    ///   - seconds: the time after which a gift ends; `nil` for none.
    ///   - key: the Idempotency-Key.
    package func addCredits(
        _ amount: Int, to user: String, reason: String, note: String?, expiresIn seconds: Int? = nil, key: String
    ) async throws -> APIObject<CreditMovementFields> {
        let grant = CreditGrantFields.request { grant in
            [grant.amount(amount), grant.reason(reason), grant.note(note), grant.expiresIn(seconds)]
        }
        return try await send(VideoClubAPI.grantCredits, user, body: grant, key: key)
    }

    /// Fetches the whole history of a member's credits as comma-separated values, piece by piece.
    package func creditHistory(of user: String, _ body: ([UInt8]) throws -> Void) async throws {
        try await pieces(of: Self.path(of: VideoClubAPI.exportUserCredits, [user]), body)
    }

    /// Takes back a movement of credits, and returns the counter-entry.
    package func reverseCredits(
        _ movement: String, note: String?, key: String
    ) async throws -> APIObject<CreditMovementFields> {
        try await send(
            VideoClubAPI.reverseCredits, movement, body: CreditNoteFields.request { [$0.note(note)] }, key: key)
    }

    /// The credits of a member.
    package func balance(of user: String) async throws -> APIObject<UserCreditsFields> {
        try await send(VideoClubAPI.getUserCredits, user, query: [("limit", "1")])
    }

    /// The movements of a member's credits, newest first.
    package func movements(of user: String, limit: Int) async throws -> [APIObject<CreditMovementFields>] {
        try await items(in: VideoClubAPI.getUserCredits, [user], limit: limit)
    }

    /// Compares the ledger with its own rules.
    package func checkCredits() async throws -> APIObject<LedgerCheckFields> {
        try await send(VideoClubAPI.checkCredits)
    }

    /// The terms on which a title is rented.
    package func terms(of title: String) async throws -> APIObject<TermsFields> {
        try await send(VideoClubAPI.getTerms, title)
    }

    /// Changes the terms on which a title is rented, and returns the new ones.
    package func changeTerms(
        of title: String, _ change: APIObject<TermsChangeFields>
    ) async throws -> APIObject<TermsFields> {
        try await self.change(VideoClubAPI.changeTerms, title, body: change)
    }

    /// The rentals of a member, newest first.
    package func rentals(of user: String, limit: Int) async throws -> [APIObject<RentalFields>] {
        try await items(VideoClubAPI.listUserRentals, user, limit: limit)
    }

    /// A rental.
    package func rental(_ id: String) async throws -> APIObject<RentalFields> {
        try await send(VideoClubAPI.getRental, id)
    }

    /// Gives back what was paid for a rental, and ends it.
    package func refundRental(_ id: String, note: String?) async throws -> APIObject<RentalFields> {
        try await send(VideoClubAPI.refundRental, id, body: CreditNoteFields.request { [$0.note(note)] })
    }
}
