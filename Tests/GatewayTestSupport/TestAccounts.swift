package import Accounts
import Crypto
package import Database
import DatabaseTestSupport
import MediaCore
import NIOPosix
package import TestSupport

/// Accounts in a database of the test's own, with a clock that the test moves and hashes that cost little.
package final class TestAccounts: Sendable {
    private let place: TestDatabase
    package let clock = TestClock()
    package let database: any SQLDatabase
    package let accounts: Accounts

    package static let password = "correct horse battery"

    package init(_ configure: (inout AccountsSettings) -> Void = { _ in }) async throws {
        place = try TestDatabase()
        database = try await place.open()
        guard let parameters = ScryptParameters(logRounds: 10, blockSize: 1, parallelism: 1) else {
            preconditionFailure("the least cost is within the bounds")
        }
        var settings = AccountsSettings()
        settings.registration = .open
        configure(&settings)
        accounts = try await Accounts.open(
            database, program: "test", hasher: PasswordHasher(threads: .singleton, parameters: parameters),
            settings: settings, sealingKey: SymmetricKey(size: .bits256), wallClock: clock.wallClock,
            uptime: { [clock] in clock.elapsed })
    }

    /// Somebody on the server's own machine.
    package static let machine = Caller(.machine(.tokenFile), origin)
    package static let origin = RequestOrigin(AddressGroup(nil), address: "192.0.2.1", device: "test")

    /// A new account whose owner has logged in.
    package func session(_ name: String, _ role: Role = .member) async throws -> NewSession {
        _ = try await accounts.createAccount(
            Registration(username: name, password: Self.password), role: role, by: Self.machine)
        guard case .session(let session) = try await accounts.logIn(name, password: Self.password, from: Self.origin)
        else { preconditionFailure("a new account has no second factor") }
        return session
    }

    /// A new account whose owner has logged in and sends a request.
    package func caller(_ name: String, _ role: Role = .member) async throws -> Caller {
        Caller(try await session(name, role).principal, Self.origin)
    }

    /// A new API token of somebody who has logged in.
    package func token(_ session: NewSession, _ scope: Scope = .full) async throws -> NewToken {
        try await accounts.createToken(
            TokenRequest(.apiToken, name: "test", scope: scope), password: Self.password,
            by: Caller(session.principal, Self.origin))
    }
}
