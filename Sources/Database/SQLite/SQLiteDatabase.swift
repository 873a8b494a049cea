#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import GRDB
package import MediaCore

/// A database in a file, through GRDB: one writer, a few readers that never wait for it, and a write-ahead log.
package final class SQLiteDatabase: SQLDatabase {
    package let path: String
    let pool: DatabasePool
    private let backups: SQLiteBackups
    private let watch: SQLiteWatch

    package var dialect: SQLDialect { .sqlite }
    package var address: String { path }

    /// Cache size of each connection in KiB. Small, because lists are short and the memory of the whole server is
    /// limited.
    private static let cacheKibibyteCount = 512
    private static let readerCount = 2
    /// Time that a connection waits for another process, such as a backup, to release the database.
    private static let busyTimeoutSeconds = 5.0
    private static let busyRetryMicroseconds: UInt32 = 10_000
    /// Commits wait for the disk. GRDB's pools use NORMAL by default, with which a power cut may lose the last
    /// transactions.
    private static let synchronousOnCommit = "PRAGMA synchronous = FULL"
    private static let synchronousOnCheckpoint = "PRAGMA synchronous = NORMAL"

    /// Opens or creates the file.
    ///
    /// - Throws: ``SQLError`` if the file lies on a network file system or cannot be used.
    package init(path: String) throws(SQLError) {
        try NetworkFileSystem.refuse(path)
        self.path = path
        (backups, watch) = (SQLiteBackups(path: path), SQLiteWatch(path: path))
        var configuration = Configuration()
        configuration.maximumReaderCount = Self.readerCount
        configuration.busyMode = .timeout(Self.busyTimeoutSeconds)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = -\(Self.cacheKibibyteCount)")
        }
        SQLiteFilePermissions.restrict(path)
        do {
            pool = try Self.openPool(path: path, configuration: configuration)
        } catch {
            throw SQLError(sqlite: error, path: path)
        }
    }

    /// Opens the file, and tries again while another program turns its write-ahead log on: SQLite does not wait for
    /// that by itself.
    private static func openPool(path: String, configuration: Configuration) throws -> DatabasePool {
        let deadline = ContinuousClock.now + .seconds(busyTimeoutSeconds)
        while true {
            do {
                let pool = try DatabasePool(path: path, configuration: configuration)
                try pool.writeWithoutTransaction { try $0.execute(sql: synchronousOnCommit) }
                return pool
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                guard ContinuousClock.now < deadline else { throw error }
                usleep(busyRetryMicroseconds)
            }
        }
    }

    package func read<Result: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        do {
            return try await pool.read { [path] db in try body(SQLiteConnection(db, path: path)) }
        } catch let error as DatabaseError {
            throw SQLError(sqlite: error, path: path)
        }
    }

    package func write<Result: Sendable>(
        durability: SQLDurability, within limit: Duration,
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        do {
            switch durability {
            case .onDisk:
                return try await pool.write { [path] db in try body(SQLiteConnection(db, path: path)) }
            case .soon:
                return try await pool.writeWithoutTransaction { [path] db in
                    // Applies to the single writing connection.
                    try db.execute(sql: Self.synchronousOnCheckpoint)
                    let result = Swift.Result {
                        try Self.transaction(db) { try body(SQLiteConnection(db, path: path)) }
                    }
                    try db.execute(sql: Self.synchronousOnCommit)
                    return try result.get()
                }
            }
        } catch let error as DatabaseError {
            throw SQLError(sqlite: error, path: path)
        }
    }

    private static func transaction<Result>(_ db: GRDB.Database, _ body: () throws -> Result) throws -> Result {
        try db.beginTransaction()
        do {
            let result = try body()
            try db.commit()
            return result
        } catch {
            try? db.rollback()
            throw error
        }
    }

    package func commitMarker() async throws -> String { try await watch.marker() }
    package func watchCommits(_ body: @escaping CommitObserver) async { await watch.run(body) }

    /// Copies committed transactions from the log into the database, which writes the log to the disk first.
    package func makeDurable() async throws {
        do {
            try await pool.writeWithoutTransaction { db in _ = try db.checkpoint(.passive) }
        } catch let error as DatabaseError {
            throw SQLError(sqlite: error, path: path)
        }
    }

    /// Copies the database with SQLite's backup interface, and removes old copies.
    package func prepareMigration(at time: WallClockTime) async throws {
        try await backups.make(of: pool, at: time)
    }

    package func close() async {
        watch.close()
        try? pool.close()
    }

    /// Whether a commit waits until it is on the disk.
    func waitsForDisk() async throws -> Bool {
        try await pool.writeWithoutTransaction { db in try Int.fetchOne(db, sql: "PRAGMA synchronous") == 2 }
    }

    /// The findings of SQLite's own check of the whole file; empty if the file is sound.
    package func integrityProblems() async throws -> [String] {
        do {
            return try await pool.read { db in try String.fetchAll(db, sql: "PRAGMA integrity_check") }
                .filter { $0 != "ok" }
        } catch let error as DatabaseError {
            throw SQLError(sqlite: error, path: path)
        }
    }
}
