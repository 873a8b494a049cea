package import Accounts
package import MediaCore

/// A movement of the ledger, as the member or the operator reads it.
package struct CreditMovement: Sendable, Hashable {
    package var id: OpaqueID
    package var reason: CreditReason
    /// The credits that the member has got; negative if they were taken.
    package var amount: Int64
    /// The member's credits after the movement.
    package var balance: Int64
    /// The position among the member's movements, from 1.
    package var position: Int64
    /// The account of who made the movement; `nil` for the server's own machine and for what the server does itself.
    package var actor: UserID?
    /// The operator's note; empty for none.
    package var note: String
    /// The rental that was paid or refunded; `nil` for other reasons.
    package var rental: OpaqueID?
    /// The movement that it takes back; `nil` if it is no counter-entry.
    package var reverses: OpaqueID?
    package var happenedAt: WallClockTime
    /// The first end of credits that came with the movement; `nil` if they have none.
    package var expiresAt: WallClockTime?

    /// Limit of the credits of one movement.
    package static let maximumAmount: Int64 = 1_000_000
    /// Limit of the credits of an account.
    package static let maximumBalance: Int64 = 1_000_000_000
    /// Limit of the name that a payment provider gives a payment.
    package static let maximumReferenceByteCount = 200
    /// Limit of a note.
    package static let maximumNoteLength = 200
}
