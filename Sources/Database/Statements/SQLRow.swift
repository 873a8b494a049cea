/// A row of a result. It is valid only inside the closure that receives it.
package struct SQLRow {
    private let source: any SQLRowSource

    init(_ source: any SQLRowSource) { self.source = source }

    /// The value of a column that is never `NULL`.
    ///
    /// - Parameter column: position in the statement's list, from 0.
    /// - Throws: ``SQLError`` with `unexpectedValue` if the value is `NULL` or has another type.
    package func value<Value: SQLReadable>(_ column: Int) throws(SQLError) -> Value {
        guard let value: Value = try optional(column) else {
            throw SQLError(.unexpectedValue, "column \(column + 1) of a row is NULL; run `antena database check`")
        }
        return value
    }

    /// The value of a column; `nil` for `NULL`.
    ///
    /// - Parameter column: position in the statement's list, from 0.
    /// - Throws: ``SQLError`` with `unexpectedValue` if the value has another type.
    package func optional<Value: SQLReadable>(_ column: Int) throws(SQLError) -> Value? {
        let stored = source.value(at: column, as: Value.columnType)
        if stored == .null { return nil }
        guard let value = Value.reading(stored) else {
            throw SQLError(
                .unexpectedValue,
                "column \(column + 1) of a row is not of type \(Value.columnType); run `antena database check`")
        }
        return value
    }

    /// The value of a column with a type that the caller knows at run time only.
    package func any(_ column: Int, as type: SQLColumnType) -> SQLValue { source.value(at: column, as: type) }
}
