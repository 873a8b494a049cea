package import Accounts
package import MediaCore

/// A link with which anybody can watch something until a time, as the server remembers it.
package struct MediaLink: Sendable, Hashable {
    /// Position in the list.
    package var number: Int64
    package var id: OpaqueID
    /// The link's name in the list.
    package var name: String
    /// The folder under which all may be watched, such as `/live/canalA.stream`.
    package var folder: String
    /// The path of the playlist or file that the link leads to.
    package var target: String
    package var createdAt: WallClockTime
    package var expiresAt: WallClockTime
    /// The time at which it was revoked; `nil` if it was not.
    package var revokedAt: WallClockTime?

    /// The length limits of the stored texts.
    package static let maximumNameLength = 100
    package static let maximumTargetByteCount = 2_048
    /// The longest life of a link.
    package static let maximumLife = Duration.seconds(366 * 86_400)
    /// The life of a link that names none.
    package static let defaultLife = Duration.seconds(86_400)
    /// Links that have neither expired nor been revoked.
    package static let maximumCount = 100_000
    /// The time for which the list shows links that have ended.
    package static let remembranceAfterEnd = Duration.seconds(30 * 86_400)
}
