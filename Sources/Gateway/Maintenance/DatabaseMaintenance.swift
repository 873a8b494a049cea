import APIContract
package import Database
import Features
import Foundation
package import ServerSettings

/// The work of `antena database`, without the terminal.
package enum DatabaseMaintenance {
    /// The database that a server with these settings uses.
    package static func address(_ configuration: ServerConfiguration) -> DatabaseAddress {
        configuration.database
            ?? .sqlite(path: "\(configuration.dataDirectory)/\(DataDirectory.catalogueName)")
    }

    /// Examines a database without changing it.
    ///
    /// - Throws: `SQLError` if there is none, or it cannot be read.
    package static func report(of address: DatabaseAddress, checksIntegrity: Bool) async throws -> DatabaseReport {
        try requireFile(address)
        let database = try await address.open()
        let report = try await DatabaseReport(of: database, schemas: Features.schemas, checksIntegrity: checksIntegrity)
        await database.close()
        return report
    }

    /// Copies everything from one database into another and verifies it; see `DatabaseCopy`.
    ///
    /// - Throws: `SQLError`.
    package static func copy(
        from source: DatabaseAddress, to target: DatabaseAddress,
        onProgress: @escaping @Sendable (DatabaseCopy.Progress) -> Void
    ) async throws -> [DatabaseCopy.VerifiedTable] {
        guard source != target else {
            throw SQLError(.invalidAddress, "the source and the target are the same database")
        }
        try requireFile(source)
        let (from, to) = (try await source.open(), try await target.open())
        let tables = try await DatabaseCopy(Features.schemas, program: Product.version, onProgress: onProgress)
            .run(from: from, to: to)
        await from.close()
        await to.close()
        return tables
    }

    /// SQLite would create a file that does not exist.
    private static func requireFile(_ address: DatabaseAddress) throws(SQLError) {
        guard case .sqlite(let path) = address, !FileManager.default.fileExists(atPath: path) else { return }
        throw SQLError(.invalidAddress, "there is no database \(path); name it with --database or --data")
    }
}
