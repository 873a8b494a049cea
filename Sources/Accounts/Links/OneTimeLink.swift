package import MediaCore

/// A one-time link that was made, without its secret.
package struct OneTimeLink: Sendable, Hashable {
    package var id: OpaqueID
    package var purpose: LinkPurpose
    /// The account that the link is for; `nil` for links that create one.
    package var user: UserID?
    /// The address that is confirmed, or the one that was invited.
    package var email: String?
    /// The role of the account that the link creates.
    package var role: Role?
    package var createdAt: WallClockTime
    package var expiresAt: WallClockTime
}
