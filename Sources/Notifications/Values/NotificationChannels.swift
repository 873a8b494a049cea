/// The ways by which somebody is notified. The numbers are stored and never change.
package struct NotificationChannels: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The list on the site, and its badge.
    package static let site = NotificationChannels(rawValue: 1)
    package static let mail = NotificationChannels(rawValue: 2)
    /// Web Push (RFC 8030).
    package static let push = NotificationChannels(rawValue: 4)
    /// An event that webhooks of the member are sent.
    package static let webhook = NotificationChannels(rawValue: 8)

    package static let all: NotificationChannels = [.site, .mail, .push, .webhook]

    /// All of them with the names of their fields, in the order in which they are shown.
    package static let named: [(name: String, channel: NotificationChannels)] = [
        ("site", .site), ("mail", .mail), ("push", .push), ("webhook", .webhook),
    ]
}
