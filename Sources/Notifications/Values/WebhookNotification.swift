package import Accounts

/// A notification of which the webhooks of its receiver are told.
package struct WebhookNotification: Sendable, Hashable {
    package var receiver: UserID
    package var notification: MemberNotification
}
