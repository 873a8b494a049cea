package import Accounts
package import MediaCore

/// A notice of the operators that is shown on top of every page, such as "maintenance tonight at ten".
package struct Announcement: Sendable, Hashable {
    /// The visitors who are shown an announcement.
    package enum Audience: String, Sendable, Hashable, CaseIterable { case everyone, members }

    /// The position in the list.
    package var number: Int64
    package var id: OpaqueID
    /// A text with a few marks; see ``AnnouncementText``.
    package var text: String
    package var audience: Audience
    package var startsAt: WallClockTime
    /// `nil` for one that is shown until it is deleted.
    package var endsAt: WallClockTime?
    /// The member who wrote it; `nil` for the server's own token, and for an account that was deleted.
    package var author: UserID?
    package var createdAt: WallClockTime
    /// Rises with each change; somebody who has dismissed another revision is shown the announcement again.
    package var revision: Int64

    /// True if the announcement is shown at a time.
    package func isShown(at time: WallClockTime) -> Bool { startsAt <= time && endsAt.map { time < $0 } ?? true }

    /// Limit of the text in characters.
    package static let maximumTextLength = 1_000
    /// Limit of all announcements, those that are over included.
    package static let maximumCount = 100
    /// Limit of those on a page, the newest.
    package static let maximumShownCount = 3
}
