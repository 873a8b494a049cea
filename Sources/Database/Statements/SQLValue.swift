/// A value that is bound to a parameter of a statement.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    /// A finite number; others are bound as `NULL`, because the engines treat them differently.
    case real(Double)
    /// Text up to its first NUL, which PostgreSQL cannot store and where SQLite's text functions end.
    case text(String)
    case blob([UInt8])

    /// The text, or `NULL` for `nil`; the same applies to the initializers that follow.
    package init(_ text: String?) { self = text.map(SQLValue.text) ?? .null }
    package init(_ number: Int64?) { self = number.map(SQLValue.integer) ?? .null }
    package init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
    package init(_ number: Double?) { self = number.map(SQLValue.real) ?? .null }
    package init(_ bytes: [UInt8]?) { self = bytes.map(SQLValue.blob) ?? .null }

    /// The ``CaselessKey`` of a text, to be stored, or to be compared with a stored one.
    package static func caseless(_ text: String) -> SQLValue { .text(CaselessKey(text).text) }

    /// The value as both engines store it.
    var storable: SQLValue {
        switch self {
        case .real(let number): number.isFinite ? self : .null
        case .text(let text): text.utf8.contains(0) ? .text(String(text.prefix { $0 != "\0" })) : self
        case .null, .integer, .blob: self
        }
    }
}

extension SQLValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(nilLiteral: ()) { self = .null }
}
