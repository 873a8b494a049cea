/// The subject of an event. Its readers may receive the event; events about a
/// member go to that member alone.
package struct EventSubject: Sendable, Hashable {
    /// The kind of a subject, such as `channel`. Each domain declares its own beside its feature.
    package struct Kind: RawRepresentable, Sendable, Hashable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
    }

    package var kind: Kind
    /// The name of a channel, the ID of a title or track, the number of a job, the ID of an account or of a member.
    package var name: String

    package init(_ kind: Kind, _ name: String) { (self.kind, self.name) = (kind, name) }
}
