package import Accounts
package import MediaCore

/// A device of a member that keeps offline copies. It has a credential of its own, and a key for which the keys of
/// copies are wrapped.
package struct ClubDevice: Sendable, Hashable {
    /// The position in lists.
    package var number: Int64
    package var id: OpaqueID
    package var user: UserID
    package var name: String
    /// The X25519 public key.
    package var publicKey: [UInt8]
    package var createdAt: WallClockTime
    package var lastUsedAt: WallClockTime?

    package static let publicKeyByteCount = 32
    /// Limit of the devices of a member: each can keep copies of everything that the member rents.
    package static let maximumCount = 10
    package static let maximumNameLength = 60
    /// A use is noted when the last note is older than this.
    static let noteInterval = Duration.seconds(60)
}
