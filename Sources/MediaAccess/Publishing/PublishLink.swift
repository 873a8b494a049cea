package import Accounts
package import MediaCore

/// A link with which one publisher pushes to one channel, as the server remembers it.
package struct PublishLink: Sendable, Hashable {
    /// Position in the list.
    package var number: Int64
    package var id: OpaqueID
    /// The name of the channel.
    package var channel: String
    /// The link's name in the list.
    package var name: String
    package var createdAt: WallClockTime
    package var expiresAt: WallClockTime
    /// The time at which somebody began to push with it; `nil` if nobody did.
    package var usedAt: WallClockTime?
    /// The address (for IPv6, the /64 network) that has used it, and may come back.
    package var usedBy: String?
    package var revokedAt: WallClockTime?

    /// Length limit of the name.
    package static let maximumNameLength = 100
    /// The life of a link that names none: one event.
    package static let defaultLife = Duration.seconds(86_400)
    /// The longest life of a link.
    package static let maximumLife = Duration.seconds(31 * 86_400)
    /// Links of a channel that have neither expired nor been revoked.
    package static let maximumCount = 100
    /// The time for which the list shows links that have ended.
    package static let remembranceAfterEnd = Duration.seconds(30 * 86_400)
}
