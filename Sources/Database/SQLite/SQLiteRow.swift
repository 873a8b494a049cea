import GRDB

/// A row of GRDB. Its values have SQLite's own types.
struct SQLiteRow: SQLRowSource {
    let row: Row

    func value(at column: Int, as type: SQLColumnType) -> SQLValue {
        guard column >= 0, column < row.count else { return .null }
        let value: DatabaseValue = row[column]
        return switch value.storage {
        case .null: .null
        case .int64(let number): .integer(number)
        case .double(let number): .real(number)
        case .string(let text): .text(text)
        case .blob(let bytes): .blob([UInt8](bytes))
        }
    }
}
