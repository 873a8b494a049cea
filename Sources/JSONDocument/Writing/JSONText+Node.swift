extension JSONText {
    /// Converts a parsed value so that it can be written again.
    package init(_ node: JSONNode) {
        switch node.value {
        case .null: self = .null
        case .boolean(let boolean): self = .boolean(boolean)
        case .number(let number): self = .number(number)
        case .string(let string): self = .string(string)
        case .array(let elements): self = .array(elements.map(JSONText.init))
        case .object(let members): self = .object(members.map { ($0.name, JSONText($0.value)) })
        }
    }
}
