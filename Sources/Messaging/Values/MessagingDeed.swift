package import Accounts

/// An event that members are notified of.
package enum MessagingDeed: Sendable, Hashable {
    case invited(_ invitation: OpaqueID, receiver: UserID, by: UserID)
    /// Two members are contacts now; each is told.
    case connected(_ invitation: OpaqueID, UserID, UserID)
    case refused(_ invitation: OpaqueID, sender: UserID, by: UserID)
}
