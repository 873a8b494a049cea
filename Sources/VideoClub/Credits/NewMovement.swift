import Accounts
import MediaCore

/// A movement that is to be written.
struct NewMovement: Sendable {
    var reason: CreditReason
    /// The account that the credits leave.
    var source: CreditAccount
    /// The account that gets them.
    var target: CreditAccount
    /// More than 0.
    var amount: Int64
    var actor: UserID?
    var key: RequestKey?
    var note = ""
    var rental: OpaqueID?
    var reverses: OpaqueID?
    var happenedAt: WallClockTime
    /// The end of the credits of a gift; `nil` for none.
    var expiresAt: WallClockTime?
    /// Whether gifts of the source whose time is over end first; false while the time cannot be relied on.
    var endsGifts = true
}
