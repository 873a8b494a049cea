import Accounts
import Catalogue
import Crypto
import Database
import DatabaseTestSupport
import Foundation
import MediaCore
import NIOPosix
import TestSupport
import Testing

@testable import Community

/// A community in a database of the test's own, with a clock that the test moves.
final class CommunityFixture: Sendable {
    let place: TestDatabase
    let clock = TestClock()
    let database: any SQLDatabase
    let catalogue: Catalogue
    let accounts: Accounts
    let community: Community
    let operatorCaller = Caller(.machine(.tokenFile), RequestOrigin(AddressGroup(nil), address: "127.0.0.1"))

    init(_ settings: CommunitySettings = CommunitySettings()) async throws {
        place = try TestDatabase()
        database = try await place.open()
        catalogue = try await Catalogue.open(database, program: "test")
        accounts = try await Accounts.open(
            database, program: "test",
            hasher: PasswordHasher(
                threads: .singleton,
                parameters: ScryptParameters(logRounds: 10, blockSize: 1, parallelism: 1) ?? .standard),
            settings: AccountsSettings(), sealingKey: SymmetricKey(size: .bits256), wallClock: clock.wallClock)
        community = try await Community.open(
            database, program: "test", settings: settings, wallClock: clock.wallClock)
    }

    /// Adds a title that can be played.
    func add(_ id: String) async throws {
        _ = try await catalogue.add(
            TitleRecord(
                id: id, title: "video \(id)", file: "\(id).mp4", sourcePath: "/m/\(id).mp4", state: .ready,
                byteCount: 1, modifiedAt: Date(timeIntervalSince1970: 0), revision: "r1",
                addedAt: Date(timeIntervalSince1970: 0)))
    }

    func member(_ name: String, role: Role = .member) async throws -> Caller {
        let account = try await accounts.createAccount(
            Registration(username: name, password: "correct horse battery"), role: role, by: operatorCaller)
        return Caller(
            .session(Member(id: account.id, username: name, role: role), OpaqueID()),
            RequestOrigin(AddressGroup(nil), address: "192.0.2.1"))
    }

    static func id(_ caller: Caller) throws -> UserID { try #require(caller.principal.member).id }

    static func code(_ body: () async throws -> some Any) async -> CommunityError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? CommunityError)?.code
        }
    }
}
