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
    /// Whether there is a password; accounts of a provider may have none.
    package var hasPassword: Bool
    package var createdAt: WallClockTime
    package var lastLogInAt: WallClockTime?
    /// Rises with each change of the fields, for `ETag` and `If-Match`.
    package var revision: Int64
}
