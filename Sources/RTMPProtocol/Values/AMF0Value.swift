/// A value in AMF 0, the encoding of RTMP's commands and metadata (Adobe, "Action Message Format – AMF 0", 2007).
package enum AMF0Value: Sendable, Hashable {
    case number(Double)
    case boolean(Bool)
    case string(String)
    /// Properties in the order in which they were sent.
    case object([Property])
    /// The same with a number of properties in front, which need not be true.
    case ecmaArray([Property])
    case strictArray([AMF0Value])
    /// Milliseconds since 1970 (UTC).
    case date(Double)
    case null
    /// No value, or one that the sender marks as unsupported.
    case undefined

    /// A named value of an object.
    package struct Property: Sendable, Hashable {
        package var name: String
        package var value: AMF0Value

        package init(_ name: String, _ value: AMF0Value) { (self.name, self.value) = (name, value) }
    }

    /// The text of a string; `nil` for any other value.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number; `nil` for any other value.
    package var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The value of the last property with a name, which replaces those before; `nil` if there is none, or this is not
    /// an object.
    package subscript(_ name: String) -> AMF0Value? {
        switch self {
        case .object(let properties), .ecmaArray(let properties): properties.last { $0.name == name }?.value
        default: nil
        }
    }
}
