package import MediaCore

/// An account without its credentials.
package struct Account: Sendable, Hashable {
    package var id: UserID
    package var username: String
    package var email: String?
    /// The time at which somebody followed the link that was sent to the address; `nil` if nobody did.
    package var emailConfirmedAt: WallClockTime?
    package var profile: Profile
    /// The version of the photo, which changes with it; `nil` for none. ``Accounts/photo(of:by:)`` has the image.
    package var photo: String?
    package var role: Role
    package var state: AccountState
    /// The end of the suspension; `nil` for one without end, and for an account that is not suspended.
    package var suspendedUntil: WallClockTime?
    /// Whether there is a password; accounts of a provider may have none.
    package var hasPassword: Bool
    package var createdAt: WallClockTime
    package var lastLogInAt: WallClockTime?
    /// Rises with each change of the fields, for `ETag` and `If-Match`.
    package var revision: Int64

    /// Whether the account is suspended at a time. One whose suspension has ended can be used, whether or not the state
    /// was written since.
    package func isSuspended(at time: WallClockTime) -> Bool {
        state == .suspended && AccountState.isSuspended(until: suspendedUntil, at: time)
    }

    /// Whether the account can be used at a time, as ``AccountState/usableCondition(_:at:)`` says it in SQL.
    func isUsable(at time: WallClockTime) -> Bool {
        state == .active || state == .suspended && !isSuspended(at: time)
    }
}
