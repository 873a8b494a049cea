/// A JSON value to be written. Members keep the order in which they are given, and unknown values are written as
/// `null`, so that clients see every field; `JSONEncoder` does neither.
package indirect enum JSONText: Sendable, Equatable {
    /// The name and the value of a member.
    package typealias Field = (name: String, value: JSONText)

    case null
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONText])
    case members([Member])
    /// A string that is already JSON; written unchanged.
    case raw(String)

    /// A member of an object.
    package struct Member: Sendable, Equatable {
        package var name: String
        package var value: JSONText

        package init(name: String, value: JSONText) {
            self.name = name
            self.value = value
        }
    }

    /// An object with its members in this order.
    package static func object(_ fields: [Field]) -> JSONText {
        .members(fields.map { Member(name: $0.name, value: $0.value) })
    }

    /// A string, or `null` if it is `nil`.
    package static func optional(_ string: String?) -> JSONText { string.map(JSONText.string) ?? .null }
    /// An integer, or `null` if it is `nil`.
    package static func optional(_ integer: Int?) -> JSONText { integer.map(JSONText.integer) ?? .null }
    /// A number, or `null` if it is `nil`.
    package static func optional(_ number: Double?) -> JSONText { number.map(JSONText.number) ?? .null }

    /// The value as compact JSON. Numbers that are not finite become `null`.
    package var rendered: String {
        var text = ""
        write(into: &text)
        return text
    }

    private func write(into text: inout String) {
        switch self {
        case .null: text += "null"
        case .boolean(let boolean): text += boolean ? "true" : "false"
        case .integer(let integer): text += "\(integer)"
        case .number(let number): Self.write(number, into: &text)
        case .string(let string): Self.write(string, into: &text)
        case .raw(let raw): text += raw
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                element.write(into: &text)
            }
            text += "]"
        case .members(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.write(member.name, into: &text)
                text += ":"
                member.value.write(into: &text)
            }
            text += "}"
        }
    }

    private static func write(_ number: Double, into text: inout String) {
        // JSON has no infinities (RFC 8259 §6).
        guard number.isFinite else { return text += "null" }
        if let integer = Int(exactly: number) { text += "\(integer)" } else { text += "\(number)" }
    }

    private static func write(_ string: String, into text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..."\u{1F}":
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
