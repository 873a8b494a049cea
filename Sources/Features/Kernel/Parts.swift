/// The domains and other parts of a server, each found by its type. One that is off is not among them.
package struct Parts: Sendable {
    private var parts: [ObjectIdentifier: any Sendable] = [:]

    package init() {}

    /// The part of a type; `nil` if the server has none.
    package subscript<Part: Sendable>(_ type: Part.Type) -> Part? {
        get { parts[ObjectIdentifier(type)] as? Part }
        set { parts[ObjectIdentifier(type)] = newValue }
    }

    /// Adds a part under its own type.
    package mutating func add<Part: Sendable>(_ part: Part) { self[Part.self] = part }

    /// A part that every server has.
    ///
    /// - Throws: ``MissingPart`` if it was not opened before.
    package func require<Part: Sendable>(_ type: Part.Type) throws(MissingPart) -> Part {
        guard let part = self[type] else { throw MissingPart(name: "\(type)") }
        return part
    }
}
