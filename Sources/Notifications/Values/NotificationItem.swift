package import Accounts
package import MediaCore

/// One of the things that a notification is about, as they are now.
package struct NotificationItem: Sendable, Hashable {
    /// The username of the account that did it; `nil` if nobody is named.
    package var actor: String?
    package var happenedAt: WallClockTime
    package var video: Video?
    /// The comment that was written.
    package var comment: OpaqueID?
    /// The ID of the title of a rental.
    package var title: String?
    /// The ID of the receiver's upload.
    package var upload: OpaqueID?
    /// The ID of an invitation to become contacts.
    package var invitation: OpaqueID?
    /// The name of a channel in addresses.
    package var channel: String?
    /// The name of the title of a rental, the title of a channel, or the name of the receiver's upload.
    package var name: String?
    /// The kind of the reported item: `video`, `comment` or `profile`.
    package var reported: String?
    /// The topic of the forum.
    package var topic: Topic?
    /// A moderator's decision.
    package var decision: String?

    /// A topic that is shown, and the comment that was written in it; `nil` for the topic itself.
    package struct Topic: Sendable, Hashable {
        package var id: OpaqueID
        package var title: String
        package var comment: OpaqueID?
    }

    /// A video that the receiver can open.
    package struct Video: Sendable, Hashable {
        package var id: OpaqueID
        package var name: String
        package var competition: OpaqueID?
        package var competitionName: String?
        /// The day of the competition, from 1.
        package var day: Int?
    }
}
