import Accounts
import Database
import MediaCore

extension VideoClub {
    /// The server itself, which writes what a payment provider says.
    private static let provider = Caller(.machine(.tokenFile), RequestOrigin(AddressGroup(nil)))

    /// Gives a member the credits that somebody has paid for.
    ///
    /// - Parameters:
    ///   - credits: 1 to ``CreditMovement/maximumAmount``.
    ///   - user: the member's username or e-mail address.
    ///   - reference: the provider's name of the payment, which gives credits once.
    /// - Throws: `Refusal` with `invalidField`, `notFound` or `keyOfAnotherRequest`.
    package func pay(_ credits: Int64, to user: String, reference: String) async throws -> CreditMovement {
        try await give(
            credits, .payment, to: try await self.user(named: user), note: reference, key: Self.key(reference),
            by: Self.provider)
    }

    /// Takes back the credits of a payment that was refunded.
    ///
    /// - Throws: `Refusal` with `notReversible` if there is no such payment yet, so that the provider sends its
    ///   message again, or with `notEnoughCredits`.
    package func takeBackPayment(reference: String) async throws -> CreditMovement {
        let key = Self.key(reference)
        let found = try await database.read { db in try LedgerRows.movement(with: key, db)?.movement.id }
        guard let found else {
            throw Refusal(.notReversible, "there is no such payment yet; send the message again later")
        }
        return try await reverse(
            found, note: reference, key: RequestKey(reference, of: "payment refund", by: Self.provider),
            by: Self.provider)
    }

    private static func key(_ reference: String) -> RequestKey {
        RequestKey(reference, of: "payment", by: provider)
    }
}
