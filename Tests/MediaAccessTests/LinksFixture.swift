import Accounts
import Crypto
import Database
import DatabaseTestSupport
import MediaCore
import NIOPosix
import TestSupport
import Testing

@testable import MediaAccess

/// Links in a database of the test's own, with a clock that the test moves.
final class LinksFixture: Sendable {
    let place: TestDatabase
    let clock = TestClock()
    let database: any SQLDatabase
    let accounts: Accounts
    let links: MediaLinks
    let caller = Caller(.machine(.tokenFile), RequestOrigin(AddressGroup(nil), address: "127.0.0.1"))
    private let key = SymmetricKey(size: .bits256)

    init() async throws {
        place = try TestDatabase()
        database = try await place.open()
        // Changes are noted in the audit log.
        accounts = try await Accounts.open(
            database, program: "test", hasher: PasswordHasher(threads: .singleton), settings: AccountsSettings(),
            sealingKey: key, wallClock: clock.wallClock)
        links = try await Self.open(database, key, clock)
    }

    /// Another server on the same database.
    func other(_ database: (any SQLDatabase)? = nil) async throws -> MediaLinks {
        try await Self.open(database ?? self.database, key, clock)
    }

    private static func open(
        _ database: any SQLDatabase, _ key: SymmetricKey, _ clock: TestClock
    ) async throws -> MediaLinks {
        try await MediaLinks.open(
            database, program: "test", key: key, wallClock: clock.wallClock, uptime: { clock.elapsed })
    }

    func link(_ folder: String = "/vod/film", _ name: String = "press", hours: Int = 1) async throws -> MediaLink {
        try await links.create(
            name, folder: folder, target: "\(folder)/playlist.m3u8", until: links.now + .seconds(hours * 3_600),
            by: caller)
    }

    func signature(_ link: MediaLink) throws -> String {
        let path = links.path(of: link)
        #expect(path.hasPrefix("/signed/") && path.hasSuffix(link.target))
        return String(try #require(path.split(separator: "/").dropFirst().first))
    }
}
