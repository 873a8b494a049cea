package import Accounts

/// The content of one mail to a member: all that has happened in windows that are over.
package struct NotificationDigest: Sendable {
    package var user: UserID
    package var username: String
    package var email: String
    /// The language in which the member has chosen to get mail, such as `es`; `nil` if it is not known.
    package var language: String?
    /// The newest notifications, at most ``maximumListedCount``.
    package var notifications: [MemberNotification]
    /// Number of notifications, also of those that are not listed.
    package var count: Int

    package static let maximumListedCount = 20
}
