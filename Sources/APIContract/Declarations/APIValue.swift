package import JSONDocument

/// A type of values that fields of the API have: how they are written, read and described.
package protocol APIValue: Sendable {
    /// The schema of all values of the type (JSON Schema, draft 2020-12).
    ///
    /// - Parameter components: receives what the schema refers to.
    static func schema(_ components: inout SchemaComponents) -> JSONText
    /// A value of the type, for examples.
    static var example: JSONText { get }

    /// The value in JSON.
    var json: JSONText { get }

    /// - Parameter json: a value of a document; `nil` if it has another type.
    init?(json: JSONText)
}

extension String: APIValue {
    package static func schema(_: inout SchemaComponents) -> JSONText { .type("string") }
    package static var example: JSONText { .string("text") }

    package var json: JSONText { .string(self) }

    package init?(json: JSONText) {
        guard case .string(let string) = json else { return nil }
        self = string
    }
}

extension Bool: APIValue {
    package static func schema(_: inout SchemaComponents) -> JSONText { .type("boolean") }
    package static var example: JSONText { .boolean(true) }

    package var json: JSONText { .boolean(self) }

    package init?(json: JSONText) {
        guard case .boolean(let boolean) = json else { return nil }
        self = boolean
    }
}

extension Int: APIValue {
    package static func schema(_: inout SchemaComponents) -> JSONText { .type("integer") }
    package static var example: JSONText { .integer(1) }

    package var json: JSONText { .integer(self) }

    package init?(json: JSONText) {
        switch json {
        case .integer(let integer): self = integer
        case .number(let number):
            guard let integer = Int(exactly: number) else { return nil }
            self = integer
        default: return nil
        }
    }
}

extension Double: APIValue {
    package static func schema(_: inout SchemaComponents) -> JSONText { .type("number") }
    package static var example: JSONText { .number(1.5) }

    package var json: JSONText { .number(self) }

    package init?(json: JSONText) {
        switch json {
        case .integer(let integer): self = Double(integer)
        case .number(let number): self = number
        default: return nil
        }
    }
}

/// `null` for `nil`.
extension Optional: APIValue where Wrapped: APIValue {
    package static func schema(_ components: inout SchemaComponents) -> JSONText {
        Wrapped.schema(&components).orNull
    }
    package static var example: JSONText { Wrapped.example }

    package var json: JSONText { map(\.json) ?? .null }

    package init?(json: JSONText) {
        if json == .null {
            self = .none
        } else {
            guard let value = Wrapped(json: json) else { return nil }
            self = .some(value)
        }
    }
}

extension Array: APIValue where Element: APIValue {
    package static func schema(_ components: inout SchemaComponents) -> JSONText {
        .object([("type", .string("array")), ("items", Element.schema(&components))])
    }
    package static var example: JSONText { .array([Element.example]) }

    package var json: JSONText { .array(map(\.json)) }

    package init?(json: JSONText) {
        guard case .array(let elements) = json else { return nil }
        let values = elements.compactMap(Element.init(json:))
        guard values.count == elements.count else { return nil }
        self = values
    }
}

/// An object whose members have names that are not known beforehand, such as those of channels.
extension Dictionary: APIValue where Key == String, Value: APIValue {
    package static func schema(_ components: inout SchemaComponents) -> JSONText {
        .object([("type", .string("object")), ("additionalProperties", Value.schema(&components))])
    }
    package static var example: JSONText { .object([("name", Value.example)]) }

    /// The members in the order of their names.
    package var json: JSONText { .object(sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }) }

    package init?(json: JSONText) {
        guard case .members(let members) = json else { return nil }
        var values: [String: Value] = [:]
        for member in members {
            guard let value = Value(json: member.value) else { return nil }
            values[member.name] = value
        }
        self = values
    }
}

/// Any value, where the API promises no type, or one that only a schema of its own can say.
extension JSONText: APIValue {
    package static func schema(_: inout SchemaComponents) -> JSONText { .object([]) }
    package static var example: JSONText { .object([]) }

    package var json: JSONText { self }

    package init?(json: JSONText) { self = json }
}
