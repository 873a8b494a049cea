package import MediaCore

/// A device that waits for approval, as it is shown to the person who has typed its code.
package struct PendingDevice: Sendable, Hashable {
    package var id: OpaqueID
    /// The address that the device has asked from, so that a person recognizes somebody else's.
    package var address: String
    package var device: String
    package var createdAt: WallClockTime
    package var expiresAt: WallClockTime
}
