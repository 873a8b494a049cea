/// A JSON value (RFC 8259) with its position in the text, so that messages can point at it.
package struct JSONNode: Sendable, Equatable {
    /// The content of a value.
    package indirect enum Value: Sendable, Equatable {
        case null
        case boolean(Bool)
        case number(Double)
        case string(String)
        case array([JSONNode])
        /// The members in the order of the text; names are unique.
        case object([Member])
    }

    /// A member of an object, with the position of its name.
    package struct Member: Sendable, Equatable {
        package var name: String
        package var namePosition: TextPosition
        package var value: JSONNode

        package init(name: String, namePosition: TextPosition, value: JSONNode) {
            (self.name, self.namePosition, self.value) = (name, namePosition, value)
        }
    }

    package var value: Value
    package var position: TextPosition

    package init(_ value: Value, at position: TextPosition) {
        self.value = value
        self.position = position
    }

    /// The member with that name; `nil` if there is none or the value is not an object.
    package subscript(name: String) -> JSONNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The members of an object; `nil` for any other value.
    package var members: [Member]? {
        guard case .object(let members) = value else { return nil }
        return members
    }

    /// The elements of an array; `nil` for any other value.
    package var elements: [JSONNode]? {
        guard case .array(let elements) = value else { return nil }
        return elements
    }

    /// The string; `nil` for any other value.
    package var string: String? {
        guard case .string(let string) = value else { return nil }
        return string
    }

    /// The number; `nil` for any other value.
    package var number: Double? {
        guard case .number(let number) = value else { return nil }
        return number
    }

    /// The number as an integer; `nil` if it has a fraction or does not fit into `Int`, and for any other value.
    package var integer: Int? {
        guard case .number(let number) = value else { return nil }
        return Int(exactly: number)
    }

    /// The boolean; `nil` for any other value.
    package var boolean: Bool? {
        guard case .boolean(let boolean) = value else { return nil }
        return boolean
    }

    /// The name of the value's type in JSON Schema; a number without a fraction is an `integer`.
    package var typeName: String {
        switch value {
        case .null: "null"
        case .boolean: "boolean"
        case .number: integer == nil ? "number" : "integer"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// A short description of the value, for messages.
    package var summary: String {
        switch value {
        case .null: "null"
        case .boolean(let boolean): "\(boolean)"
        case .number(let number): integer.map { "\($0)" } ?? "\(number)"
        case .string(let string): "\"\(string.count > 40 ? String(string.prefix(40)) + "…" : string)\""
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// Returns whether the values are equal, regardless of positions and of the order of members.
    package func hasSameContent(as other: JSONNode) -> Bool {
        switch (value, other.value) {
        case (.null, .null): return true
        case (.boolean(let left), .boolean(let right)): return left == right
        case (.number(let left), .number(let right)): return left == right
        case (.string(let left), .string(let right)): return left == right
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.hasSameContent(as: $1) }
        case (.object(let left), .object(let right)):
            return left.count == right.count
                && left.allSatisfy { member in
                    right.first { $0.name == member.name }?.value.hasSameContent(as: member.value) ?? false
                }
        default: return false
        }
    }
}
