package import Accounts
package import MediaCore

/// A title that a member has rented.
package struct Rental: Sendable, Hashable {
    /// The position in lists.
    package var number: Int64
    package var id: OpaqueID
    /// The member; `nil` if the account was deleted.
    package var user: UserID?
    /// The title's row number.
    package var titleNumber: Int64
    /// The title's ID and name at the time of the rental, which are kept after its deletion.
    package var titleID: String
    package var titleName: String
    /// What the member has paid.
    package var price: Int64
    package var rentedAt: WallClockTime
    /// The time by which it has to be activated; `nil` for no limit.
    package var startsBefore: WallClockTime?
    /// The time for which it can be watched once activated.
    package var timeToPlay: Duration
    package var activatedAt: WallClockTime?
    /// The end of the time to watch; `nil` before the activation.
    package var endsAt: WallClockTime?
    /// When it was marked as ended; an expired rental is over before that.
    package var endedAt: WallClockTime?
    package var endReason: RentalEnd?
    /// How long the title is; `nil` if that is not known, or the title was deleted.
    package var titleDuration: Duration?

    /// What it is at a time. A rental whose time is over has expired whether or not somebody has marked it.
    package func state(at now: WallClockTime) -> RentalState {
        switch endReason {
        case .refunded, .titleRemoved: return .refunded
        case .expired: return .expired
        case nil: break
        }
        if let endsAt { return endsAt > now ? .activated : .expired }
        if let startsBefore, startsBefore <= now { return .expired }
        return .rented
    }
}
