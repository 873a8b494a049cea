/// A type that a column of a row can be read as.
package protocol SQLReadable: Sendable {
    /// Converts a value; `nil` if the value has another type or does not fit.
    static func reading(_ value: SQLValue) -> Self?
    /// The kind of value that the column holds.
    static var columnType: SQLColumnType { get }
}

extension String: SQLReadable {
    package static var columnType: SQLColumnType { .text }
    package static func reading(_ value: SQLValue) -> String? {
        if case .text(let text) = value { text } else { nil }
    }
}

extension Int64: SQLReadable {
    package static var columnType: SQLColumnType { .integer }
    package static func reading(_ value: SQLValue) -> Int64? {
        if case .integer(let number) = value { number } else { nil }
    }
}

extension Int: SQLReadable {
    package static var columnType: SQLColumnType { .integer }
    package static func reading(_ value: SQLValue) -> Int? { Int64.reading(value).flatMap { Int(exactly: $0) } }
}

extension Double: SQLReadable {
    package static var columnType: SQLColumnType { .real }
    package static func reading(_ value: SQLValue) -> Double? {
        switch value {
        case .real(let number): number
        // SQLite stores 2.0 as an integer in a column without a declared type.
        case .integer(let number): Double(number)
        case .null, .text, .blob: nil
        }
    }
}

extension [UInt8]: SQLReadable {
    package static var columnType: SQLColumnType { .blob }
    package static func reading(_ value: SQLValue) -> [UInt8]? {
        if case .blob(let bytes) = value { bytes } else { nil }
    }
}
