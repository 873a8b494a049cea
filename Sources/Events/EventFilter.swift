/// Which events a listener wants.
package struct EventFilter: Sendable, Hashable {
    /// Types, or groups of types by what stands before the dot; empty for all.
    package var types: Set<String> = []
    /// `nil` for all.
    package var subject: EventSubject?

    package init() {}

    /// Whether a listener wants an event.
    package func includes(_ event: Event) -> Bool { includes(event.type, event.subject) }

    /// Whether a listener wants events of a type about a subject.
    package func includes(_ type: EventType, _ about: EventSubject) -> Bool {
        if let subject, subject != about { return false }
        return types.isEmpty || types.contains(type.rawValue) || types.contains(type.group)
    }
}
