import Accounts
import MediaCore

/// The notification that members get of a deed.
struct NewNotification: Sendable, Hashable {
    var kind: NotificationKind
    /// The topic that the notifications of one window share besides their kind; empty for none.
    var topic: String
    var deed: Int64
    var windowAt: WallClockTime
    var changedAt: WallClockTime
    /// The end of the window, when mail about it is due.
    var windowEndsAt: WallClockTime
}
