import Events
import HTTPTypes

/// The listeners of a crowd that are told the same, because they have the same credential and want the same events.
final class EventGroup: Sendable {
    struct Key: Hashable {
        var credential: HTTPFields
        var filter: EventFilter
    }

    let key: Key
    /// What the first of them may be told of, which is what all of them may be told of.
    let audience: EventAudience

    init(_ key: Key, _ audience: EventAudience) { (self.key, self.audience) = (key, audience) }
}
