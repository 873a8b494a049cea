package import Accounts
package import Events

/// A domain's events about one kind of subject, and their audience.
package struct EventKind: Sendable {
    /// The thing that somebody must be allowed to read who is told of an event; `nil` if this listener is told nothing.
    ///
    /// - Parameters:
    ///   - name: the name of the subject.
    ///   - listener: who listens.
    ///   - audiences: the audiences of channels, titles and tracks.
    package typealias Hearing =
        @Sendable (_ name: String, _ listener: Principal, _ audiences: AudienceRules) ->
        Resource?

    package let subject: EventSubject.Kind
    package let types: [EventType]
    let hearing: Hearing

    /// - Parameters:
    ///   - subject: what the events are about.
    ///   - types: the events.
    ///   - hearing: what a listener must be allowed to read.
    package init(_ subject: EventSubject.Kind, _ types: [EventType], hearing: @escaping Hearing) {
        (self.subject, self.types, self.hearing) = (subject, types, hearing)
    }
}
