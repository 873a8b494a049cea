import Foundation
import GRDB
package import MediaCore

/// A database file that is only read: opening it neither creates nor changes anything on the disk. The server that
/// uses the file may be running.
package final class SQLiteReader: SQLDatabase {
    private let path: String
    private let queue: DatabaseQueue

    package var dialect: SQLDialect { .sqlite }
    package var address: String { path }

    /// Opens a file that exists.
    ///
    /// - Throws: ``SQLError`` if the file lies on a network file system or cannot be read.
    package init(path: String) throws(SQLError) {
        try NetworkFileSystem.refuse(path)
        self.path = path
        var configuration = Configuration()
        configuration.readonly = true
        do {
            queue = try Self.open(path, configuration)
        } catch {
            throw SQLError(sqlite: error, path: path)
        }
    }

    /// Even a reader creates a write-ahead log where there is none, and leaves it there. Without a log all transactions
    /// are in the file, which SQLite then reads as it is.
    private static func open(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
        let hasLog = FileManager.default.fileExists(atPath: "\(path)-wal")
        if !hasLog, let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) {
            // Builds of SQLite without SQLITE_USE_URI take the URI for the name of a file, which does not exist.
            if let queue = try? DatabaseQueue(path: "file:\(escaped)?immutable=1", configuration: configuration) {
                return queue
            }
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    package func read<Result: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        do {
            return try await queue.read { [path] db in try body(SQLiteConnection(db, path: path)) }
        } catch let error as DatabaseError {
            throw SQLError(sqlite: error, path: path)
        }
    }

    package func commitMarker() async throws -> String { try await SQLiteWatch.marker(queue, path: path) }

    /// Always throws ``SQLError`` with `notWritable`.
    package func write<Result: Sendable>(
        durability: SQLDurability, within limit: Duration,
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        throw SQLError(.notWritable, "the database \(path) is open for reading only")
    }

    /// Does nothing, because nothing is written.
    package func makeDurable() async throws {}

    /// Does nothing, because nothing is migrated.
    package func prepareMigration(at time: WallClockTime) async throws {}

    package func close() async { try? queue.close() }
}
