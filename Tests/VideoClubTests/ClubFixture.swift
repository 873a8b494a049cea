import Accounts
import Catalogue
import Database
import Foundation
import GatewayTestSupport
import MediaCore
import TestSupport
import Testing

@testable import VideoClub

/// A video club in a database of the test's own, with titles `a` to `e` and a clock that the test moves.
final class ClubFixture: Sendable {
    private let base: TestAccounts
    let catalogue: Catalogue
    let club: VideoClub
    let operatorCaller = TestAccounts.machine

    var clock: TestClock { base.clock }
    var database: any SQLDatabase { base.database }
    var accounts: Accounts { base.accounts }

    init(_ settings: ClubSettings = ClubSettings()) async throws {
        base = try await TestAccounts()
        catalogue = try await Catalogue.open(base.database, program: "test")
        club = try await VideoClub.open(
            base.database, program: "test", settings: settings, wallClock: base.clock.wallClock)
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
        let caller = try await base.caller(name)
        if credits > 0 {
            _ = try await club.give(credits, .topUp, to: try Self.id(caller), key: nil, by: operatorCaller)
        }
        return caller
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

    /// Whether a call was refused because the account has fewer credits than something costs.
    static func lacksCredits(_ refusal: Refusal?, price: Int64, balance: Int64) -> Bool {
        refusal?.code == .notEnoughCredits
            && refusal?.facts == [
                "price": .number(price), "balance": .number(balance), "missing": .number(price - balance),
            ]
    }

    static func code(_ body: () async throws -> some Any) async -> Refusal.Code? {
        await Refusal.of(body)?.code
    }
}
