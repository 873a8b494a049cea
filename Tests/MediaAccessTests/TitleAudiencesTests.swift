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

@testable import MediaAccess

@Suite(.eachEngine, .timeLimit(.minutes(1)))
struct TitleAudiencesTests {
    private final class Fixture: Sendable {
        let place: TestDatabase
        let database: any SQLDatabase
        let catalogue: Catalogue
        let accounts: Accounts
        let audiences: TitleAudiences
        let caller = Caller(.machine(.tokenFile), RequestOrigin(AddressGroup(nil), address: "127.0.0.1"))

        init() async throws {
            place = try TestDatabase()
            database = try await place.open()
            catalogue = try await Catalogue.open(database, program: "test")
            accounts = try await Self.open(database)
            audiences = TitleAudiences(database, accounts: accounts)
            for id in ["a", "b", "c", "d", "e"] { _ = try await catalogue.add(Self.title(id)) }
        }

        static func open(_ database: any SQLDatabase) async throws -> Accounts {
            try await Accounts.open(
                database, program: "test",
                hasher: PasswordHasher(
                    threads: .singleton,
                    parameters: ScryptParameters(logRounds: 10, blockSize: 1, parallelism: 1) ?? .standard),
                settings: AccountsSettings(), sealingKey: SymmetricKey(size: .bits256))
        }

        static func title(_ id: String) -> TitleRecord {
            TitleRecord(
                id: id, title: "film \(id)", file: "\(id).mp4", sourcePath: "/m/\(id).mp4", state: .ready, byteCount: 1,
                modifiedAt: Date(timeIntervalSince1970: 0), revision: "r1", addedAt: Date(timeIntervalSince1970: 0))
        }

        func set(_ audience: Audience?, _ id: String, invited: [String]? = nil) async throws {
            try await audiences.set(AudienceChange(audience), invited: invited, in: .titles, of: id, by: caller)
        }

        func account(_ name: String) async throws -> UserID {
            try await accounts.createAccount(
                Registration(username: name, password: "correct horse battery"), role: .viewer, by: caller
            ).id
        }
    }

    @Test func aTitlesOwnAudienceGoesBeforeThatOfItsSection() async throws {
        let fixture = try await Fixture()
        #expect(fixture.accounts.isEverythingPublic)
        try await fixture.set(.invited, "a")
        let rules = fixture.accounts.audiences
        #expect(!fixture.accounts.isEverythingPublic)
        #expect(rules.title(id: "a").audience == .invited && rules.title(file: "a.mp4").audience == .invited)
        #expect(rules.title(id: "b").audience == .everyone && rules.title(file: "b.mp4").audience == .everyone)
        #expect(rules.track(id: "a").audience == .everyone)
        // The configuration is read again; a title stays open in a closed section.
        try await fixture.set(.everyone, "b")
        fixture.accounts.audiences = AudienceRules(titles: .members)
        let closed = fixture.accounts.audiences
        #expect(closed.title(id: "a").audience == .invited && closed.title(id: "b").audience == .everyone)
        #expect(closed.title(id: "c").audience == .members)
        try await fixture.set(nil, "b")
        #expect(fixture.accounts.audiences.title(id: "b").audience == .members)
    }

    /// A file that a member sends is kept from others before there is a title, whose hold is read a little later.
    @Test func whatIsAwaitedIsKeptFromOthers() async throws {
        let fixture = try await Fixture()
        let file = "video-7k2.mp4"
        try await fixture.database.write { db in try HeldFileRows.add(file, in: .titles, db) }
        try await fixture.audiences.refresh()
        var title = Fixture.title("")
        (title.title, title.file) = ("video-7k2", file)
        let id = try await fixture.catalogue.add(title).id
        for _ in 0..<2 {
            let rules = fixture.accounts.audiences
            #expect(rules.title(id: id).audience == .invited && rules.title(file: file).audience == .invited)
            #expect(rules.title(id: "a").audience == .everyone)
            try await fixture.audiences.refresh()
        }
    }

    @Test func everythingIsPublicAgainWhenTheLastRuleGoes() async throws {
        let fixture = try await Fixture()
        try await fixture.set(.members, "a")
        #expect(!fixture.accounts.isEverythingPublic)
        try await fixture.catalogue.deleteTitle(id: "a")
        try await fixture.audiences.refresh()
        #expect(fixture.accounts.isEverythingPublic && fixture.accounts.audiences.items.isEmpty)
        // Another title that gets the ID is not for members.
        _ = try await fixture.catalogue.add(Fixture.title("a"))
        #expect(try await fixture.audiences.audience(in: .titles, of: "a").audience == nil)
    }

    /// Two refreshes a second, each of which is enough.
    @Test func anotherServerKnowsAfterItsNextRefresh() async throws {
        let fixture = try await Fixture()
        let accounts = try await Fixture.open(fixture.database)
        let other = TitleAudiences(fixture.database, accounts: accounts)
        try await other.refresh()
        #expect(accounts.isEverythingPublic)
        try await fixture.set(.invited, "a")
        try await other.refresh()
        #expect(accounts.audiences.title(id: "a").audience == .invited)
    }

    /// The audience belongs to the title, whatever its file is called, now or formerly.
    @Test func aRenamedFileKeepsTheAudience() async throws {
        let fixture = try await Fixture()
        try await fixture.set(.invited, "a")
        let moved = MovedFile(name: "new.mp4", path: "/m/new.mp4")
        #expect(try await fixture.catalogue.moveTitle(id: "a", from: "a.mp4", to: moved) != nil)
        try await fixture.audiences.refresh()
        var rules = fixture.accounts.audiences
        #expect(rules.title(file: "new.mp4").audience == .invited && rules.title(file: "a.mp4").audience == .invited)
        // Another file takes the former name, and is another title.
        var other = Fixture.title("other")
        other.file = "a.mp4"
        _ = try await fixture.catalogue.add(other)
        try await fixture.audiences.refresh()
        rules = fixture.accounts.audiences
        #expect(rules.title(file: "new.mp4").audience == .invited && rules.title(file: "a.mp4").audience == .everyone)
    }

    @Test func somebodyWhoIsInvitedMayWatch() async throws {
        let fixture = try await Fixture()
        let (ana, ben) = (try await fixture.account("ana"), try await fixture.account("ben"))
        try await fixture.set(.invited, "a", invited: ["Ana"])
        let rules = fixture.accounts.audiences
        func may(_ user: UserID, _ role: Role = .viewer) -> Decision {
            let member = Member(id: user, username: "x", role: role)
            return fixture.accounts.may(.session(member, OpaqueID()), .read, rules.title(id: "a"))
        }
        #expect(may(ana) == .allowed && may(ben) == .concealed && may(ben, .operator) == .allowed)
        #expect(fixture.accounts.may(.anonymous, .read, rules.title(id: "a")) == .concealed)
        #expect(try await fixture.audiences.audience(in: .titles, of: "a").invited == ["ana"])
        await #expect(throws: Refusal.self) { try await fixture.set(nil, "a", invited: ["nobody"]) }
        // Nothing of a change that fails is done.
        #expect(fixture.accounts.audiences.title(id: "a").audience == .invited)
    }

    @Test func changesAreInTheAuditLog() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.account("ana")
        try await fixture.set(.members, "a")
        try await fixture.set(.invited, "a", invited: ["ana"])
        let log = try await fixture.accounts.auditLog().items
        let entries = log.filter { ["audience.changed", "audience.invited"].contains($0.event) }
        #expect(entries.map(\.before) == ["title a: ", "title a: members", "title a: section"])
        #expect(entries.map(\.after) == ["title a: ana", "title a: invited", "title a: members"])
    }

    @Test func anUnknownTitleHasNoAudience() async throws {
        let fixture = try await Fixture()
        await #expect(throws: Refusal.self) { try await fixture.set(.members, "nobody") }
        #expect(fixture.accounts.isEverythingPublic)
    }

    /// Pages are full, in order, and neither repeat nor tell what is left out; searches and counts likewise.
    @Test func listsLeaveOutWhatTheReaderMayNotSee() async throws {
        let fixture = try await Fixture()
        let ana = try await fixture.account("ana")
        try await fixture.set(.invited, "b", invited: ["ana"])
        try await fixture.set(.members, "d")
        func ids(_ visible: RecordVisibility?, _ query: String? = nil) async throws -> [String] {
            var (ids, cursor): ([String], String?) = ([], nil)
            repeat {
                let page = try await fixture.catalogue.titles(
                    RecordQuery(matching: query, visible: visible), after: cursor, limit: 2)
                #expect(page.next == nil || page.items.count == 2)
                ids += page.items.map(\.id)
                cursor = page.next
            } while cursor != nil
            return ids
        }
        let strangers = RecordVisibility(showsUnset: true, audiences: [.everyone])
        let members = RecordVisibility(showsUnset: true, audiences: [.everyone, .members])
        var invited = members
        invited.account = ana.text
        let closed = RecordVisibility(showsUnset: false, audiences: [], account: ana.text)
        for query in [nil, "film"] {
            #expect(try await ids(nil, query) == ["a", "b", "c", "d", "e"])
            #expect(try await ids(strangers, query) == ["a", "c", "e"])
            #expect(try await ids(members, query) == ["a", "c", "d", "e"])
            #expect(try await ids(invited, query) == ["a", "b", "c", "d", "e"])
            #expect(try await ids(closed, query) == ["b"])
        }
        let count = try await fixture.catalogue.counts(visibleTitles: strangers, visibleTracks: nil)
        #expect(count.titles == 3)
        #expect(try await fixture.catalogue.newestTitles(2, visible: strangers).map(\.id) == ["e", "c"])
    }
}
