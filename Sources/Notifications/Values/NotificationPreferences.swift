/// A member's notification preferences: the ways for each group.
package struct NotificationPreferences: Sendable, Hashable {
    /// The language in which the member has chosen, such as `es`; `nil` if it is not known.
    package var language: String?
    private var channels: [NotificationGroup: NotificationChannels] = [:]

    /// The preferences of somebody who has not chosen: everything on the site, by push and by webhook,
    /// for those who have added a browser or a webhook, and nothing by mail.
    package init() {}

    package subscript(group: NotificationGroup) -> NotificationChannels {
        get { channels[group] ?? Self.initial }
        set { channels[group] = newValue }
    }

    package static let initial: NotificationChannels = [.site, .push, .webhook]
}
