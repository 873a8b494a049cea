package import MediaCore

/// A passkey of an account, as its owner sees it in a list.
package struct Passkey: Sendable, Hashable {
    package var id: OpaqueID
    package var name: String
    /// Whether the owner's other devices can have it, too.
    package var isBackupEligible: Bool
    package var createdAt: WallClockTime
    package var lastUsedAt: WallClockTime?

    /// Length limit of a name.
    package static let maximumNameCharacterCount = 60
}
