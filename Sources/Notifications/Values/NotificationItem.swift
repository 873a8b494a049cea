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
    /// A moderator's decision.
    package var decision: String?

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
