package import APIContract
package import JSONDocument

/// `Moment` in the description.
package struct Moment: NamedValue {
    package static let name = "Moment"
    package static let meaning: String? = "a date, or seconds since 1970"
    package static let traits: [SchemaTrait] = [
        .schema(.object([("oneOf", .array([date, seconds]))])), .example("2026-11-21T17:20:00Z"),
    ]
    /// Such as `2026-11-21T17:20:00Z`.
    private static let date = JSONText.object([
        ("type", .string("string")), ("format", .string("date-time")),
        ("pattern", .string("^(19[7-9][0-9]|[2-9][0-9]{3})-")),
    ])
    private static let seconds = JSONText.object([
        ("type", .string("number")), ("minimum", .integer(0)), ("maximum", .integer(253_402_300_799)),
    ])

    package let content: JSONText

    package init(_ content: JSONText) { self.content = content }
}
