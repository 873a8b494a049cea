package import MediaCore

/// A session of an account, as its owner sees it in a list.
package struct Session: Sendable, Hashable {
    package var id: OpaqueID
    package var user: UserID
    /// Whether its owner wants to stay logged in: the cookie outlives the browser.
    package var isPersistent: Bool
    package var createdAt: WallClockTime
    /// The last use, to the minute.
    package var lastUsedAt: WallClockTime
    /// The time at which the session ends unless it is used before.
    package var idleAt: WallClockTime
    /// The time at which the session ends in any case.
    package var expiresAt: WallClockTime
    /// The address of the last use, to the minute.
    package var address: String
    package var device: String
}
