/// Which events a listener wants.
package struct EventFilter: Sendable, Hashable {
    /// Types, or groups of types by what stands before the dot; empty for all.
    package var types: Set<String> = []
    /// `nil` for all.
    package var subject: EventSubject?

    package init() {}

    /// Whether a listener wants an event.
    package func includes(_ event: Event) -> Bool {
        if let subject, subject != event.subject { return false }
        guard !types.isEmpty else { return true }
        return types.contains(event.type.rawValue) || types.contains(event.type.group)
    }

    /// Whether a text is the name of a type or of a group.
    package static func isType(_ text: String) -> Bool {
        EventType.allCases.contains { $0.rawValue == text || $0.group == text }
    }
}
