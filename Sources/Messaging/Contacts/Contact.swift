package import MediaCore

/// A contact of a member.
package struct Contact: Sendable, Hashable {
    package var member: NamedMember
    package var madeAt: WallClockTime
    /// The time at which the contact was last online; `nil` if it is not known, or not for the reader.
    package var seenAt: WallClockTime?

    /// The time after which somebody who was seen is no longer online.
    package static let onlineTime = Duration.seconds(90)

    /// Whether the contact is online at a time.
    package func isOnline(at now: WallClockTime) -> Bool {
        guard let seenAt else { return false }
        return seenAt + Self.onlineTime > now && seenAt <= now + Self.onlineTime
    }
}
