import Database

/// How a record is stored: one row of a table.
protocol StoredRecord: Sendable {
    associatedtype Column: RecordColumn

    static var table: SQLTable { get }
    init(_ row: RecordRow<Column>) throws(SQLError)
    /// The value of a column as the record has it.
    func value(of column: Column) -> SQLValue
}

extension StoredRecord {
    static var tableName: String { table.name }

    /// A `SELECT` of all columns; a condition and an order follow.
    static var selection: String { "SELECT \(Column.list()) FROM \(tableName)" }

    /// The records of a selection.
    static func all(_ db: any SQLConnection, _ conditions: String, _ arguments: SQLValue...) throws -> [Self] {
        try all(db, conditions, arguments)
    }

    static func all(_ db: any SQLConnection, _ conditions: String, _ arguments: [SQLValue]) throws -> [Self] {
        try db.rows("\(selection) \(conditions)", arguments) { row in try Self(RecordRow(row)) }
    }

    static func first(_ db: any SQLConnection, _ conditions: String, _ arguments: SQLValue...) throws -> Self? {
        try db.first("\(selection) \(conditions)", arguments) { row in try Self(RecordRow(row)) }
    }

    /// Inserts the record, or replaces the row with the same key.
    func save(_ db: any SQLConnection) throws {
        try db.execute(Self.table.upsert, Column.allCases.map { value(of: $0) })
    }
}
