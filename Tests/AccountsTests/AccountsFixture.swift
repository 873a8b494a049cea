import Crypto
import Database
import DatabaseTestSupport
import MediaCore
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Accounts

/// Accounts in a database of the test's own, with a clock that the test moves and hashes that cost little.
final class AccountsFixture: Sendable {
    let place: TestDatabase
    let clock = TestClock()
    let database: any SQLDatabase
    let hasher: PasswordHasher
    let accounts: Accounts
    let key = SymmetricKey(size: .bits256)

    /// The least cost that the program accepts.
    static let parameters = ScryptParameters(logRounds: 10, blockSize: 1, parallelism: 1)
    static let password = "correct horse battery"

    init(_ configure: (inout AccountsSettings) -> Void = { _ in }) async throws {
        place = try TestDatabase()
        database = try await place.open()
        hasher = PasswordHasher(threads: .singleton, parameters: try #require(Self.parameters))
        var settings = AccountsSettings()
        configure(&settings)
        accounts = try await Self.open(database, hasher, settings, key, clock)
    }

    /// Another server on the same database.
    func otherServer() async throws -> Accounts {
        try await Self.open(database, hasher, accounts.settings, key, clock)
    }

    private static func open(
        _ database: any SQLDatabase, _ hasher: PasswordHasher, _ settings: AccountsSettings, _ key: SymmetricKey,
        _ clock: TestClock
    ) async throws -> Accounts {
        try await Accounts.open(
            database, program: "test", hasher: hasher, settings: settings, sealingKey: key,
            wallClock: clock.wallClock, uptime: { clock.elapsed })
    }

    func origin(_ address: String = "192.0.2.1", device: String = "Firefox") -> RequestOrigin {
        RequestOrigin(AddressGroup(try? SocketAddress(ipAddress: address, port: 1)), address: address, device: device)
    }

    var machine: Caller { Caller(.machine(.tokenFile), origin("127.0.0.1")) }

    /// An account that nobody has logged in to.
    @discardableResult func account(
        _ name: String, _ role: Role = .member, email: String? = nil, password: String = AccountsFixture.password
    ) async throws -> Account {
        try await accounts.createAccount(
            Registration(username: name, email: email, password: password), role: role, by: machine)
    }

    /// A new account whose owner has logged in.
    func caller(_ name: String, _ role: Role = .member, email: String? = nil) async throws -> Caller {
        try await account(name, role, email: email)
        let session = try await logIn(name)
        return Caller(session.principal, origin())
    }

    /// Asks for a mail with a link for a new password.
    func requestPasswordReset(for email: String, from origin: RequestOrigin) async throws -> NewLink? {
        try await accounts.requestPasswordReset(for: accounts.admitMail(to: email, from: origin))?.link
    }

    /// Asks again for the mail that confirms an address.
    func resendConfirmation(to email: String, from origin: RequestOrigin) async throws -> NewLink? {
        try await accounts.resendConfirmation(to: accounts.admitMail(to: email, from: origin))?.link
    }

    /// Logs in without a second factor.
    func logIn(
        _ name: String, password: String = AccountsFixture.password, staysLoggedIn: Bool = false,
        from address: String = "192.0.2.1"
    ) async throws -> NewSession {
        let outcome = try await accounts.logIn(
            name, password: password, staysLoggedIn: staysLoggedIn, from: origin(address))
        guard case .session(let session) = outcome else { throw SecondFactorAsked() }
        return session
    }

    struct SecondFactorAsked: Error {}

    /// The code of the error that a call ends with; `nil` if it ends without one.
    func code(_ body: () async throws -> Void) async -> Refusal.Code? {
        await Refusal.of(body)?.code
    }

    func count(_ table: String) async throws -> Int {
        try await database.read { db in try db.firstValue("SELECT count(*) FROM \(table)") } ?? 0
    }

    /// The events of the audit log, oldest first.
    func events() async throws -> [String] {
        try await accounts.auditLog(limit: 100).items.reversed().map(\.event)
    }
}
