extension JSONText {
    /// Length up to which an object or a list stays on one line.
    private static let lineLength = 110

    /// The value as JSON for people: two spaces per level, and what is short on one line.
    package var pretty: String { pretty(indentation: 0) + "\n" }

    private func pretty(indentation: Int) -> String {
        let line = oneLine
        if indentation > 0, indentation + line.unicodeScalars.count <= Self.lineLength { return line }
        let inner = String(repeating: " ", count: indentation + 2)
        let end = String(repeating: " ", count: indentation)
        switch self {
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { inner + $0.pretty(indentation: indentation + 2) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(end)]"
        case .members(let members) where !members.isEmpty:
            let lines = members.map { member in
                "\(inner)\(JSONText.string(member.name).rendered): \(member.value.pretty(indentation: indentation + 2))"
            }
            return "{\n\(lines.joined(separator: ",\n"))\n\(end)}"
        default: return line
        }
    }

    private var oneLine: String {
        switch self {
        case .array(let elements): "[\(elements.map(\.oneLine).joined(separator: ", "))]"
        case .members(let members) where !members.isEmpty:
            "{ \(members.map { "\(JSONText.string($0.name).rendered): \($0.value.oneLine)" }.joined(separator: ", ")) }"
        default: rendered
        }
    }
}
