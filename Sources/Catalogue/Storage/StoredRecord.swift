import Database

/// How a record is stored: one row of a table.
protocol StoredRecord: Sendable {
    associatedtype Column: RecordColumn

    static var tableName: String { get }
    init(_ row: RecordRow<Column>) throws(SQLError)
    /// The value of a column as the record has it.
    func value(of column: Column) -> SQLValue
}

extension StoredRecord {
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
    func save(_ db: any SQLConnection, key: [Column]) throws {
        let columns = Column.allCases
        let assignments = columns.filter { column in !key.contains { $0.rawValue == column.rawValue } }
            .map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", ")
        let places = (1...columns.count).map { "?\($0)" }.joined(separator: ", ")
        try db.execute(
            """
            INSERT INTO \(Self.tableName)(\(Column.list())) VALUES (\(places))
            ON CONFLICT (\(key.map(\.name).joined(separator: ", "))) DO UPDATE SET \(assignments)
            """, columns.map { value(of: $0) })
    }
}
