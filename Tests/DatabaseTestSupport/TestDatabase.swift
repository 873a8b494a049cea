package import Database
import Foundation
import TestSupport

/// Databases for tests: empty ones, on the engine of the test that is running.
package final class TestDatabase: Sendable {
    package let address: DatabaseAddress
    private let folder: TemporaryDirectory?

    /// A new place for a database; nothing is created yet. Files are removed with it.
    ///
    /// - Throws: an error that says how to start a server, if the tests were not started by `Scripts/run-tests.sh`.
    package init(_ engine: TestEngine = .current) throws {
        switch engine {
        case .sqlite:
            let folder = try TemporaryDirectory(label: "database")
            self.folder = folder
            address = .sqlite(path: "\(folder.path)/antena.sqlite")
        case .postgreSQL:
            folder = nil
            let name = "t_" + UUID().uuidString.lowercased().replacing("-", with: "")
            address = try DatabaseAddress(parsing: "\(try Self.serverURL())&schema=\(name)&pool=4")
        }
    }

    /// The database that belongs to a folder of a test, on the engine of the test.
    package static func address(inFolder folder: String) throws -> DatabaseAddress {
        switch TestEngine.current {
        case .sqlite: return .sqlite(path: "\(folder)/catalogue.sqlite")
        case .postgreSQL:
            let name = "t_" + folder.lowercased().filter { $0.isLetter || $0.isNumber }.suffix(60)
            return try DatabaseAddress(parsing: "\(try serverURL())&schema=\(name)&pool=4")
        }
    }

    /// The address of the server that all tests of a run share.
    private static func serverURL() throws -> String {
        if let url = ProcessInfo.processInfo.environment["ANTENA_TEST_POSTGRES"] { return url }
        throw MissingServer()
    }

    private struct MissingServer: Error, CustomStringConvertible {
        let description = """
            ANTENA_TEST_POSTGRES is not set; run the tests with `make test`, or start a server with \
            `Tests/Support/postgres-server.sh FOLDER` and set the variable to \
            postgres:///postgres?host=FOLDER&user=antena
            """
    }

    package func open() async throws -> any SQLDatabase { try await address.open() }
}
