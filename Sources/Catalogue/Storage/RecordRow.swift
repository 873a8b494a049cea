import Database
import Foundation

/// A row whose columns are those of a table, in their order.
struct RecordRow<Column: RecordColumn> {
    private let row: SQLRow

    init(_ row: SQLRow) { self.row = row }

    func value<Value: SQLReadable>(_ column: Column) throws(SQLError) -> Value { try row.value(column.rawValue) }
    func optional<Value: SQLReadable>(_ column: Column) throws(SQLError) -> Value? {
        try row.optional(column.rawValue)
    }

    func date(_ column: Column) throws(SQLError) -> Date {
        guard let date = try optionalDate(column) else {
            throw SQLError(.unexpectedValue, "`\(column.name)` of a row is NULL; run `antena database check`")
        }
        return date
    }

    func optionalDate(_ column: Column) throws(SQLError) -> Date? {
        guard let text: String = try optional(column) else { return nil }
        guard let date = StoredDate(parsing: text) else { throw unexpected(column, text) }
        return date.date
    }

    /// A value of an enumeration that is stored by its raw value.
    func choice<Choice: RawRepresentable<String>>(_ column: Column) throws(SQLError) -> Choice {
        let text: String = try value(column)
        guard let choice = Choice(rawValue: text) else { throw unexpected(column, text) }
        return choice
    }

    private func unexpected(_ column: Column, _ text: String) -> SQLError {
        SQLError(
            .unexpectedValue,
            "`\(column.name)` of a row has the unknown value \"\(text.prefix(64))\"; was it written by a newer version?"
        )
    }
}
