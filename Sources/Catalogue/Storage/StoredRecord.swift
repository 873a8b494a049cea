import Database

/// How a record is stored: one row of a table.
protocol StoredRecord: Sendable {
    static var table: SQLTable { get }
    init(_ row: SQLRow) throws(SQLError)
    /// The columns that are written with the record, with their values. Others have statements of their own.
    var values: KeyValuePairs<String, SQLValue> { get }
}

extension StoredRecord {
    static var tableName: String { table.name }

    /// A `SELECT` of all columns; a condition and an order follow.
    static var selection: String { "SELECT \(table.columnList) FROM \(tableName)" }

    /// The records of a selection.
    static func all(_ db: any SQLConnection, _ conditions: String, _ arguments: SQLValue...) throws -> [Self] {
        try all(db, conditions, arguments)
    }

    static func all(_ db: any SQLConnection, _ conditions: String, _ arguments: [SQLValue]) throws -> [Self] {
        try db.rows("\(selection) \(conditions)", arguments) { row in try Self(row) }
    }

    static func first(_ db: any SQLConnection, _ conditions: String, _ arguments: SQLValue...) throws -> Self? {
        try db.first("\(selection) \(conditions)", arguments) { row in try Self(row) }
    }
}
