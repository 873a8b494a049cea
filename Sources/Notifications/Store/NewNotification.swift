import Accounts
import MediaCore

/// What members are told of a deed.
struct NewNotification: Sendable, Hashable {
    var kind: NotificationKind
    /// What the notifications of one window have in common besides their kind; empty for nothing.
    var topic: String
    var deed: Int64
    var windowAt: WallClockTime
    var changedAt: WallClockTime
    /// The end of the window, when mail about it is due.
    var windowEndsAt: WallClockTime
}
