package import JSONDocument

/// A time in the API: RFC 3339 in UTC, such as `2026-11-21T22:00:00Z`.
package struct APITime: APIValue, Equatable {
    package let text: String

    /// - Parameter text: the time in RFC 3339.
    package init(_ text: String) { self.text = text }

    package static func schema(_: inout SchemaComponents) -> JSONText {
        .object([("type", .string("string")), ("format", .string("date-time"))])
    }
    package static var example: JSONText { .string("2026-11-21T22:00:00Z") }

    package var json: JSONText { .string(text) }

    package init?(json: JSONText) {
        guard case .string(let text) = json else { return nil }
        self.text = text
    }
}
