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
    /// The price that the member has paid.
    package var price: Int64
    package var rentedAt: WallClockTime
    /// The time by which it has to be activated; `nil` for no limit.
    package var startsBefore: WallClockTime?
    /// The time for which it can be watched once activated.
    package var timeToPlay: Duration
    package var activatedAt: WallClockTime?
    /// The end of the time to watch; `nil` before the activation.
    package var endsAt: WallClockTime?
    /// When somebody or something ended it; `nil` if only its time is over.
    package var endedAt: WallClockTime?
    /// The reason for its end. ``RentalEnd/expired`` is written only when another rental of the title takes its place;
    /// see ``endReason(at:)``.
    package var endReason: RentalEnd?
    /// How long the title is; `nil` if that is not known, or the title was deleted.
    package var titleDuration: Duration?

    /// Why it is over at a time; `nil` if it is not.
    package func endReason(at now: WallClockTime) -> RentalEnd? {
        switch state(at: now) {
        case .rented, .activated: nil
        case .expired: .expired
        case .refunded: endReason
        }
    }

    /// The state at a time. That its time is over follows from the time alone, so that a clock that was wrong for a
    /// while ends nothing.
    package func state(at now: WallClockTime) -> RentalState {
        switch endReason {
        case .refunded, .titleRemoved: return .refunded
        case .expired, nil: break
        }
        if let endsAt { return endsAt > now ? .activated : .expired }
        if let startsBefore, startsBefore <= now { return .expired }
        return .rented
    }
}
