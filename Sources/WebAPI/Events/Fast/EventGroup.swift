import Events
import HTTPTypes

/// The listeners of a crowd that are told the same, because they have the same credential and want the same events.
final class EventGroup: Sendable {
    struct Key: Hashable {
        var credential: HTTPFields
        var filter: EventFilter
    }

    let key: Key
    /// The audience of the first of them, which is that of all of them.
    let audience: EventAudience

    init(_ key: Key, _ audience: EventAudience) { (self.key, self.audience) = (key, audience) }
}
