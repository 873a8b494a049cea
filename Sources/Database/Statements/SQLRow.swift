/// A row of a result. It is valid only inside the closure that receives it.
///
/// Columns are read by their names in the result, which are those of the table, or the aliases after `AS`; case does
/// not matter. A statement with one column may be read by position.
package struct SQLRow {
    private let source: any SQLRowSource
    private let positions: SQLColumnPositions

    init(_ source: any SQLRowSource, _ positions: SQLColumnPositions) {
        self.source = source
        self.positions = positions
    }

    // MARK: By name

    /// The value of a column that is never `NULL`.
    ///
    /// - Parameter name: the name of the column in the result.
    /// - Throws: ``SQLError`` with `unexpectedValue` if the value is `NULL` or has another type, and with `failed` if
    ///   the result has no such column.
    package func value<Value: SQLReadable>(_ name: String) throws(SQLError) -> Value {
        guard let value: Value = try optional(name) else { throw Self.missing("`\(name)`") }
        return value
    }

    /// The value of a column; `nil` for `NULL`.
    ///
    /// - Parameter name: the name of the column in the result.
    /// - Throws: ``SQLError`` with `unexpectedValue` if the value has another type, and with `failed` if the result has
    ///   no such column.
    package func optional<Value: SQLReadable>(_ name: String) throws(SQLError) -> Value? {
        try Self.converted(try any(name, as: Value.columnType)) { "`\(name)`" }
    }

    /// The value of a column with a type that the caller knows at run time only.
    ///
    /// - Throws: ``SQLError`` with `failed` if the result has no such column.
    package func any(_ name: String, as type: SQLColumnType) throws(SQLError) -> SQLValue {
        guard let position = positions.position(of: name) else {
            throw SQLError(
                .failed,
                "a statement gives no column `\(name)`; it gives \(positions.description). This is a mistake in Antena")
        }
        return source.value(at: position, as: type)
    }

    // MARK: By position

    /// The value of a column that is never `NULL`, for statements with one column.
    ///
    /// - Parameter column: position in the statement's list, from 0.
    /// - Throws: ``SQLError`` with `unexpectedValue` if the value is `NULL` or has another type.
    package func value<Value: SQLReadable>(_ column: Int) throws(SQLError) -> Value {
        guard let value: Value = try optional(column) else { throw Self.missing("\(column + 1)") }
        return value
    }

    /// The value of a column, for statements with one column; `nil` for `NULL`.
    ///
    /// - Parameter column: position in the statement's list, from 0.
    /// - Throws: ``SQLError`` with `unexpectedValue` if the value has another type.
    package func optional<Value: SQLReadable>(_ column: Int) throws(SQLError) -> Value? {
        try Self.converted(any(column, as: Value.columnType)) { "\(column + 1)" }
    }

    /// The value of a column with a type that the caller knows at run time only.
    package func any(_ column: Int, as type: SQLColumnType) -> SQLValue { source.value(at: column, as: type) }

    // MARK: Errors

    private static func converted<Value: SQLReadable>(
        _ stored: SQLValue, _ column: () -> String
    ) throws(SQLError) -> Value? {
        if stored == .null { return nil }
        guard let value = Value.reading(stored) else {
            throw SQLError(
                .unexpectedValue,
                "column \(column()) of a row is not of type \(Value.columnType); run `antena database check`")
        }
        return value
    }

    private static func missing(_ column: String) -> SQLError {
        SQLError(.unexpectedValue, "column \(column) of a row is NULL; run `antena database check`")
    }
}
