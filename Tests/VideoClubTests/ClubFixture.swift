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

@testable import VideoClub

/// A video club in a database of the test's own, with titles `a` to `e` and a clock that the test moves.
final class ClubFixture: Sendable {
    let place: TestDatabase
    let clock = TestClock()
    let database: any SQLDatabase
    let catalogue: Catalogue
    let accounts: Accounts
    let club: VideoClub
    let operatorCaller = Caller(.machine(.tokenFile), RequestOrigin(AddressGroup(nil), address: "127.0.0.1"))

    init(_ settings: ClubSettings = ClubSettings()) async throws {
        place = try TestDatabase()
        database = try await place.open()
        catalogue = try await Catalogue.open(database, program: "test")
        accounts = try await Accounts.open(
            database, program: "test",
            hasher: PasswordHasher(
                threads: .singleton,
                parameters: ScryptParameters(logRounds: 10, blockSize: 1, parallelism: 1) ?? .standard),
            settings: AccountsSettings(), sealingKey: SymmetricKey(size: .bits256), wallClock: clock.wallClock)
        club = try await VideoClub.open(database, program: "test", settings: settings, wallClock: clock.wallClock)
        for id in ["a", "b", "c", "d", "e"] { try await add(id) }
    }

    /// Another server on the same database.
    func other() async throws -> VideoClub {
        try await VideoClub.open(database, program: "test", wallClock: clock.wallClock)
    }

    func add(_ id: String) async throws {
        _ = try await catalogue.add(
            TitleRecord(
                id: id, title: "film \(id)", file: "\(id).mp4", sourcePath: "/m/\(id).mp4", state: .ready, byteCount: 1,
                modifiedAt: Date(timeIntervalSince1970: 0), revision: "r1", addedAt: Date(timeIntervalSince1970: 0)))
    }

    func member(_ name: String, credits: Int64 = 0) async throws -> Caller {
        let account = try await accounts.createAccount(
            Registration(username: name, password: "correct horse battery"), role: .member, by: operatorCaller)
        let member = Member(id: account.id, username: name, role: .member)
        if credits > 0 { _ = try await club.give(credits, .topUp, to: account.id, key: nil, by: operatorCaller) }
        return Caller(.session(member, OpaqueID()), RequestOrigin(AddressGroup(nil), address: "192.0.2.1"))
    }

    func price(
        _ title: String, _ price: Int64, _ change: @escaping @Sendable (inout TitleTerms) -> Void = { _ in }
    ) async throws {
        let revision = try await club.terms(of: title).revision
        _ = try await club.setTerms(of: title, from: [revision], by: operatorCaller) { terms in
            terms.price = price
            change(&terms)
        }
    }

    func balance(_ caller: Caller) async throws -> Int64 { try await club.balance(of: try Self.id(caller)) }

    static func id(_ caller: Caller) throws -> UserID { try #require(caller.principal.member).id }

    static func code(_ body: () async throws -> some Any) async -> ClubError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? ClubError)?.code
        }
    }
}
