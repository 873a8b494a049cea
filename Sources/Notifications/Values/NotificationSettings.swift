/// How notifications are put together, and how long they are kept.
package struct NotificationSettings: Sendable, Hashable {
    /// The length of the windows: what happens in one of them is one notification for each kind and topic.
    package var window = Duration.seconds(3_600)
    /// The time before the end of a rental at which its renter is told.
    package var timeBeforeRentalEnds = Duration.seconds(3 * 3_600)

    /// The ways by which this server can tell somebody.
    package var ways: NotificationChannels = [.site, .mail, .push, .webhook]
    /// Whether push services may have addresses in the network of the server, also without encryption. They are for the
    /// browsers of members who may add files to the library.
    package var allowsPrivatePush = false

    package init() {}

    /// Limits of the notifications that are kept for a member.
    package static let maximumCount = 500
    package static let retention = Duration.seconds(90 * 86_400)
}
