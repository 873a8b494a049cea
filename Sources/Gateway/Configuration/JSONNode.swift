/// Where something stands in a text file; both numbers count from 1, columns in characters.
package struct TextPosition: Sendable, Hashable, CustomStringConvertible {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package var description: String { "\(line):\(column)" }
}

/// A JSON value (RFC 8259) that remembers where it was written, so that a wrong field can be pointed at.
package struct JSONNode: Sendable, Equatable {
    package indirect enum Value: Sendable, Equatable {
        case null
        case boolean(Bool)
        case number(Double)
        case string(String)
        case array([JSONNode])
        /// In the order of the file; names are unique.
        case object([Member])
    }

    package struct Member: Sendable, Equatable {
        package var name: String
        package var namePosition: TextPosition
        package var value: JSONNode
    }

    package var value: Value
    package var position: TextPosition

    package init(_ value: Value, at position: TextPosition) {
        self.value = value
        self.position = position
    }

    /// The member of that name; `nil` where there is none or this is no object.
    package subscript(name: String) -> JSONNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// `nil` where this is no object.
    package var members: [Member]? {
        guard case .object(let members) = value else { return nil }
        return members
    }

    /// `nil` where this is no array.
    package var elements: [JSONNode]? {
        guard case .array(let elements) = value else { return nil }
        return elements
    }

    package var string: String? {
        guard case .string(let string) = value else { return nil }
        return string
    }

    package var number: Double? {
        guard case .number(let number) = value else { return nil }
        return number
    }

    /// `nil` where this is no number, or one with a fraction, or beyond what `Int` holds.
    package var integer: Int? {
        guard case .number(let number) = value else { return nil }
        return Int(exactly: number)
    }

    package var boolean: Bool? {
        guard case .boolean(let boolean) = value else { return nil }
        return boolean
    }

    /// The value's type as JSON Schema names it; a number without a fraction is an `integer`.
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

    /// Short text of the value, for messages.
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

    /// Equality of content, whatever the positions.
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
