package import JSONDocument
import NIOHTTP1

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
    ) async throws -> JSONNode {
        try await send(
            .POST, Self.path("users", user, "credits"),
            .object([
                ("amount", .integer(amount)), ("reason", .string(reason)), ("note", .optional(note)),
                ("expiresIn", .optional(seconds)),
            ]), key: key)
    }

    /// Fetches the whole history of a member's credits as comma-separated values, piece by piece.
    package func creditHistory(of user: String, _ body: ([UInt8]) throws -> Void) async throws {
        try await pieces(of: Self.path("users", user, "credits.csv"), body)
    }

    /// Takes back a movement of credits, and returns the counter-entry.
    package func reverseCredits(_ movement: String, note: String?, key: String) async throws -> JSONNode {
        try await send(
            .POST, Self.path("credits", movement, "reversal"), .object([("note", .optional(note))]), key: key)
    }

    /// The credits of a member.
    package func balance(of user: String) async throws -> JSONNode {
        try await get("\(Self.path("users", user, "credits"))?limit=1")
    }

    /// The movements of a member's credits, newest first.
    package func movements(of user: String, limit: Int) async throws -> [JSONNode] {
        try await list(Self.path("users", user, "credits"), limit: limit)
    }

    /// Compares the ledger with its own rules.
    package func checkCredits() async throws -> JSONNode { try await get("/api/v1/credits/check") }

    /// The terms on which a title is rented.
    package func terms(of title: String) async throws -> JSONNode { try await get(Self.path("titles", title, "terms")) }

    /// Changes the terms on which a title is rented, and returns the new ones.
    package func changeTerms(of title: String, _ change: JSONText) async throws -> JSONNode {
        try await patch(Self.path("titles", title, "terms"), change)
    }

    /// The rentals of a member, newest first.
    package func rentals(of user: String, limit: Int) async throws -> [JSONNode] {
        try await list(Self.path("users", user, "rentals"), limit: limit)
    }

    /// A rental.
    package func rental(_ id: String) async throws -> JSONNode { try await get(Self.path("rentals", id)) }

    /// Gives back what was paid for a rental, and ends it.
    package func refundRental(_ id: String, note: String?) async throws -> JSONNode {
        try await send(.POST, Self.path("rentals", id, "refund"), .object([("note", .optional(note))]))
    }
}
