package import MediaCore

/// An identity that belongs to an account.
package struct ConnectedIdentity: Sendable, Hashable {
    package var identity: ExternalIdentity
    /// A name with which the owner recognizes it, such as an address; nobody has checked it.
    package var label: String
    package var createdAt: WallClockTime
    package var lastUsedAt: WallClockTime?
}
