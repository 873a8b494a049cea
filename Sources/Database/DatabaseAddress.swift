/// The address of a database: a file, or a PostgreSQL server.
package enum DatabaseAddress: Sendable, Hashable, CustomStringConvertible {
    /// An SQLite file.
    case sqlite(path: String)
    case postgreSQL(PostgreSQLAddress)

    private static let sqliteScheme = "sqlite:"

    /// Parses `sqlite:PATH` or `postgres://…`.
    ///
    /// - Throws: ``SQLError`` with `invalidAddress`.
    package init(parsing text: String) throws(SQLError) {
        if text.hasPrefix(Self.sqliteScheme) {
            let path = text.dropFirst(Self.sqliteScheme.count)
            guard !path.isEmpty, !path.utf8.contains(0) else {
                throw SQLError(.invalidAddress, "the database address sqlite: lacks the path of a file")
            }
            // sqlite:///PATH, as other programs write it.
            self = .sqlite(path: path.hasPrefix("///") ? String(path.dropFirst(2)) : String(path))
        } else if text.hasPrefix("postgres") {
            self = .postgreSQL(try PostgreSQLAddress(parsing: text))
        } else {
            throw SQLError(
                .invalidAddress,
                """
                the database address is neither sqlite:PATH nor postgres://USER@HOST/DATABASE; it begins with \
                \(text.prefix(12))
                """)
        }
    }

    /// The address without its password.
    package var description: String {
        switch self {
        case .sqlite(let path): Self.sqliteScheme + path
        case .postgreSQL(let address): address.description
        }
    }

    /// Opens the database. SQLite creates the file; PostgreSQL's database must exist, its schema is created.
    ///
    /// - Throws: ``SQLError``; `unavailable` if the server cannot be reached now.
    package func open() async throws -> any SQLDatabase {
        switch self {
        case .sqlite(let path): return try SQLiteDatabase(path: path)
        case .postgreSQL(let address):
            let database = PostgreSQLDatabase(address)
            try await database.prepare()
            return database
        }
    }

    /// Opens a database that exists, without changing it: no file, schema or table is created.
    ///
    /// - Throws: ``SQLError``; `unavailable` if the server cannot be reached now.
    package func openForReading() async throws -> any SQLDatabase {
        switch self {
        case .sqlite(let path): return try SQLiteReader(path: path)
        case .postgreSQL(let address):
            let database = PostgreSQLDatabase(address)
            try await database.requireSupportedVersion()
            return database
        }
    }
}
