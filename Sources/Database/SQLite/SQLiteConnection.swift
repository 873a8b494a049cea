import Foundation
import GRDB

/// A connection of ``SQLiteDatabase`` inside a transaction. Statements are prepared once for each connection.
struct SQLiteConnection: SQLConnection {
    private let db: GRDB.Database
    private let path: String

    var dialect: SQLDialect { .sqlite }

    init(_ db: GRDB.Database, path: String) {
        self.db = db
        self.path = path
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLError) -> Int {
        do {
            try db.cachedStatement(sql: sql).execute(arguments: Self.bound(arguments))
            return db.changesCount
        } catch {
            throw SQLError(sqlite: error, path: path)
        }
    }

    func forEachRow(_ sql: String, _ arguments: [SQLValue], _ body: (SQLRow) throws -> Void) throws {
        do {
            let statement = try db.cachedStatement(sql: sql)
            let positions = SQLColumnPositions { statement.columnNames }
            let cursor = try Row.fetchCursor(statement, arguments: Self.bound(arguments))
            while let row = try cursor.next() {
                positions.beginRow()
                try body(SQLRow(SQLiteRow(row: row), positions))
            }
        } catch let error as DatabaseError {
            throw SQLError(sqlite: error, path: path)
        }
    }

    func afterCommit(_ body: @escaping @Sendable () -> Void) { db.afterNextTransaction { _ in body() } }

    private static func bound(_ arguments: [SQLValue]) -> StatementArguments {
        StatementArguments(
            arguments.map { argument -> DatabaseValue in
                switch argument.storable {
                case .null: .null
                case .integer(let number): number.databaseValue
                case .real(let number): number.databaseValue
                case .text(let text): text.databaseValue
                case .blob(let bytes): Data(bytes).databaseValue
                }
            })
    }
}
