package import JSONDocument

extension JSONNode {
    /// A member as a table cell; "-" if it is missing or not a simple value.
    package func text(_ name: String) -> String {
        switch self[name]?.value {
        case .string(let string): string
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .boolean(let boolean): "\(boolean)"
        default: "-"
        }
    }
}
