import APIContract
import Accounts
import Database
import Features
import Foundation

/// The state of the database, as `antena doctor` reads it.
enum DatabaseState: Sendable {
    /// There is no SQLite file yet; the server creates it.
    case missing(path: String)
    /// The database can be used.
    ///
    /// - Parameters:
    ///   - address: its address, without a password.
    ///   - missingMigrationCount: the migrations that the next start applies.
    ///   - isWritable: whether this process may write an SQLite file; true for PostgreSQL.
    ///   - hasAdministrator: whether there is an active administrator.
    case ready(address: String, missingMigrationCount: Int, isWritable: Bool, hasAdministrator: Bool)
    case failed(SQLError)

    /// Reads a database without creating, migrating or changing it.
    static func examine(_ address: DatabaseAddress) async -> DatabaseState {
        var isWritable = true
        if case .sqlite(let path) = address {
            let manager = FileManager.default
            guard manager.fileExists(atPath: path) else { return .missing(path: path) }
            isWritable = manager.isWritableFile(atPath: path)
        }
        do {
            let database = try await address.openForReading()
            let state: DatabaseState
            do {
                state = try await read(database, address: "\(address)", isWritable: isWritable)
            } catch {
                state = failure(error)
            }
            await database.close()
            return state
        } catch {
            return failure(error)
        }
    }

    private static func read(
        _ database: any SQLDatabase, address: String, isWritable: Bool
    ) async throws -> DatabaseState {
        var count = 0
        for schema in Features.schemas {
            count += try await SQLMigrator(schema, program: Product.version).missingMigrations(database).count
        }
        return .ready(
            address: address, missingMigrationCount: count, isWritable: isWritable,
            hasAdministrator: try await Accounts.hasAdministrator(database))
    }

    private static func failure(_ error: any Error) -> DatabaseState {
        .failed(error as? SQLError ?? SQLError(.failed, "\(error)"))
    }
}
