/// A row of a ``PostgreSQLResult``.
struct PostgreSQLRow: SQLRowSource {
    let result: PostgreSQLResult
    let row: Int

    func value(at column: Int, as type: SQLColumnType) -> SQLValue {
        guard column >= 0, column < result.columnCount, let bytes = result.bytes(row: row, column: column) else {
            return .null
        }
        return PostgreSQLText.value(bytes, as: type)
    }
}
