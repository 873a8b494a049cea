import Accounts
import Crypto
import Database
import DatabaseTestSupport
import MediaCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import MediaAccess

@Suite(.eachEngine, .timeLimit(.minutes(1)))
struct MediaLinksTests {
    @Test func aLinkOpensItsFolderUntilItExpires() async throws {
        let fixture = try await LinksFixture()
        let link = try await fixture.link()
        let signature = try fixture.signature(link)
        guard case .valid(let seconds) = await fixture.links.decide(signature, for: "/vod/film") else {
            Issue.record("not valid")
            return
        }
        #expect((3_598...3_600).contains(seconds))
        #expect(await fixture.links.decide(signature, for: "/vod/other") == .wrong)
        #expect(await fixture.links.decide("exp=1,id=a,sig=b", for: "/vod/film") == .wrong)
        fixture.clock.advance(by: .seconds(3_601))
        #expect(await fixture.links.decide(signature, for: "/vod/film") == .expired)
        #expect(fixture.links.decideNow(signature, for: "/vod/film") == .expired)
    }

    /// The first question asks the database, those of the next second do not.
    @Test func whatIsKnownIsDecidedAtOnce() async throws {
        let fixture = try await LinksFixture()
        let signature = try fixture.signature(try await fixture.link())
        #expect(fixture.links.decideNow(signature, for: "/vod/film") == nil)
        _ = await fixture.links.decide(signature, for: "/vod/film")
        #expect(fixture.links.decideNow(signature, for: "/vod/film") != nil)
        fixture.clock.advance(by: .milliseconds(899))
        #expect(fixture.links.decideNow(signature, for: "/vod/film") != nil)
        fixture.clock.advance(by: .milliseconds(1))
        #expect(fixture.links.decideNow(signature, for: "/vod/film") == nil)
    }

    @Test func aRevokedLinkIsDeadOnAllServersWithinASecond() async throws {
        let fixture = try await LinksFixture()
        let link = try await fixture.link()
        let signature = try fixture.signature(link)
        let other = try await fixture.other()
        _ = await fixture.links.decide(signature, for: "/vod/film")
        _ = await other.decide(signature, for: "/vod/film")
        try await fixture.links.revoke(link.id, by: fixture.caller)
        #expect(fixture.links.decideNow(signature, for: "/vod/film") == .revoked)
        fixture.clock.advance(by: .seconds(1))
        #expect(await other.decide(signature, for: "/vod/film") == .revoked)
        let again = try await fixture.link()
        #expect(await other.decide(try fixture.signature(again), for: "/vod/film") != .revoked)
    }

    /// A database that is away cannot have been told of a revocation, so viewers stay.
    @Test func viewersStayWhileTheDatabaseIsAway() async throws {
        let fixture = try await LinksFixture()
        let (link, revoked) = (try await fixture.link(), try await fixture.link())
        try await fixture.links.revoke(revoked.id, by: fixture.caller)
        let away = AwayDatabase(fixture.database)
        let server = try await fixture.other(away)
        #expect(await server.decide(try fixture.signature(revoked), for: "/vod/film") == .revoked)
        away.isAway.store(true, ordering: .relaxed)
        fixture.clock.advance(by: .seconds(5))
        guard case .valid = await server.decide(try fixture.signature(link), for: "/vod/film") else {
            Issue.record("not valid")
            return
        }
        #expect(await server.decide(try fixture.signature(revoked), for: "/vod/film") == .revoked)
        // A server that has never been told who is revoked lets nobody in.
        let late = AwayDatabase(fixture.database)
        let second = try await fixture.other(late)
        late.isAway.store(true, ordering: .relaxed)
        #expect(await second.decide(try fixture.signature(link), for: "/vod/film") == .unavailable)
        late.isAway.store(false, ordering: .relaxed)
        guard case .valid = await second.decide(try fixture.signature(link), for: "/vod/film") else {
            Issue.record("not valid")
            return
        }
    }

    @Test func theListIsPagedAndRemembersRevokedLinks() async throws {
        let fixture = try await LinksFixture()
        for number in 1...5 { _ = try await fixture.link("/vod/\(number)", "link \(number)") }
        let first = try await fixture.links.links(limit: 2)
        #expect(first.items.map(\.name) == ["link 5", "link 4"])
        let rest = try await fixture.links.links(after: first.next, limit: 100)
        #expect(rest.items.map(\.name) == ["link 3", "link 2", "link 1"] && rest.next == nil)
        try await fixture.links.revoke(rest.items[0].id, by: fixture.caller)
        let revoked = try await fixture.links.links().items.filter { $0.revokedAt != nil }
        #expect(revoked.map(\.name) == ["link 3"])
        await #expect(throws: Refusal.self) { try await fixture.links.links(after: "x") }
        await #expect(throws: Refusal.self) { try await fixture.links.revoke(OpaqueID(), by: fixture.caller) }
        let events = try await fixture.accounts.auditLog().items
        #expect(events.first?.event == "media-link.revoked" && events.first?.before?.contains("/vod/3") == true)
        #expect(events.filter { $0.event == "media-link.created" }.count == 5)
    }

    @Test func whatEndedLongAgoIsDeleted() async throws {
        let fixture = try await LinksFixture()
        _ = try await fixture.link(hours: 1)
        _ = try await fixture.link("/vod/new", hours: 24 * 60)
        fixture.clock.advance(by: .seconds(31 * 86_400))
        try await fixture.links.maintain()
        #expect(try await fixture.links.links().items.map(\.folder) == ["/vod/new"])
    }

    @Test func linksAreChecked() async throws {
        let fixture = try await LinksFixture()
        for (name, life) in [
            ("", 3_600), (String(repeating: "a", count: 101), 3_600), ("\u{0}\u{1B}", 3_600), ("past", -1),
            ("long", 367 * 86_400),
        ] {
            await #expect(throws: Refusal.self, "\(name.debugDescription)") {
                try await fixture.links.create(
                    name, folder: "/vod/film", target: "/vod/film/playlist.m3u8",
                    until: fixture.links.now + .seconds(life), by: fixture.caller)
            }
        }
        #expect(try await fixture.links.links().items.isEmpty)
    }

    /// A database that can be switched off.
    private final class AwayDatabase: SQLDatabase {
        let isAway = Atomic(false)
        private let database: any SQLDatabase

        init(_ database: any SQLDatabase) { self.database = database }

        var dialect: SQLDialect { database.dialect }
        var address: String { database.address }
        func commitMarker() async throws -> String { try await database.commitMarker() }

        private func check() throws {
            if isAway.load(ordering: .relaxed) { throw SQLError(.unavailable, "away") }
        }

        func read<Result: Sendable>(
            within limit: Duration, _ body: @escaping @Sendable (any SQLConnection) throws -> Result
        ) async throws -> Result {
            try check()
            return try await database.read(within: limit, body)
        }

        func write<Result: Sendable>(
            durability: SQLDurability, within limit: Duration,
            _ body: @escaping @Sendable (any SQLConnection) throws -> Result
        ) async throws -> Result {
            try check()
            return try await database.write(durability: durability, within: limit, body)
        }

        func makeDurable() async throws { try await database.makeDurable() }
        func prepareMigration(at time: WallClockTime) async throws { try await database.prepareMigration(at: time) }
        func close() async { await database.close() }
    }
}
