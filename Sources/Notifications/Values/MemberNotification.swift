package import Accounts
package import MediaCore

/// A notification to a member: everything of one kind and topic that has happened in one window of time.
package struct MemberNotification: Sendable, Hashable {
    /// Number of the things that a notification shows, the newest ones.
    package static let itemCount = 3

    var number: Int64
    package var id: OpaqueID
    package var kind: NotificationKind
    /// Number of the things that have happened.
    package var count: Int64
    /// The last change of the number; lists are in this order.
    package var changedAt: WallClockTime
    /// `nil` while it is unread.
    package var readAt: WallClockTime?
    /// The numbers of the newest deeds, the last one first.
    var deeds: [Int64]
    /// The newest things without those that are gone, the last one first.
    package var items: [NotificationItem] = []
}
