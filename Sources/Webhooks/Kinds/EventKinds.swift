import Accounts
package import Events

/// All events that a server knows.
package struct EventKinds: Sendable {
    package let types: [EventType]
    package let subjects: [EventSubject.Kind]
    private let hearings: [EventSubject.Kind: EventKind.Hearing]
    /// Names of types, and of groups of types.
    private let names: Set<String>

    /// - Parameter kinds: those of all domains. Domains may tell of the same kind of subject, with the same listeners.
    package init(_ kinds: [EventKind]) {
        types = kinds.flatMap(\.types)
        subjects = kinds.map(\.subject).reduce(into: []) { known, subject in
            if !known.contains(subject) { known.append(subject) }
        }
        hearings = Dictionary(kinds.map { ($0.subject, $0.hearing) }, uniquingKeysWith: { first, _ in first })
        names = Set(types.flatMap { [$0.rawValue, $0.group] })
    }

    /// Whether a text is the name of a type or of a group.
    package func isType(_ text: String) -> Bool { names.contains(text) }

    /// The names of all types, for errors.
    package var typeList: String { types.map(\.rawValue).joined(separator: ", ") }

    /// The permission that a listener needs; `nil` for a subject of a newer version of the program, whose events nobody
    /// gets.
    func hearing(of kind: EventSubject.Kind) -> EventKind.Hearing? { hearings[kind] }
}
