/// What an event is about. Who may read it may be told of the event; of a member, that member alone.
package struct EventSubject: Sendable, Hashable {
    /// The kind of a subject.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case channel, title, track, job, account, member, announcement
    }

    package var kind: Kind
    /// The name of a channel, the ID of a title or track, the number of a job, the ID of an account or of a member.
    package var name: String

    package init(_ kind: Kind, _ name: String) { (self.kind, self.name) = (kind, name) }
}
