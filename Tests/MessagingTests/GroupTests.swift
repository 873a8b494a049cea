import Accounts
import Database
import DatabaseTestSupport
import GatewayTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Messaging

@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct GroupTests {
    private let fixture: MessagingFixture
    private let (ana, eva, leo): (Caller, Caller, Caller)
    private var messaging: Messaging { fixture.messaging }

    init() async throws {
        fixture = try await MessagingFixture()
        (ana, eva, leo) = (
            try await fixture.member("ana"), try await fixture.member("eva"), try await fixture.member("leo")
        )
        try await fixture.connect(ana, eva)
        try await fixture.connect(ana, leo)
    }

    private func code(_ body: () async throws -> some Any) async -> Refusal.Code? {
        await MessagingFixture.code(body)
    }

    private func names(_ id: OpaqueID) async throws -> [String] {
        try await messaging.members(of: id, for: ana).map(\.member.username)
    }

    @Test func aGroupIsMadeOfContacts() async throws {
        let group = try await messaging.makeGroup(" Los  <i>cuatro</i> ", members: ["eva", "LEO"], by: ana)
        #expect(group.name == "Los <i>cuatro</i>" && group.memberCount == 3 && group.role == .admin)
        #expect(try await names(group.id) == ["ana", "eva", "leo"])
        #expect(try await messaging.conversations(.recent, of: eva).items.map(\.lastMessage?.kind) == [.created])
        #expect(await code { try await messaging.makeGroup("x", members: ["leo"], by: eva) } == .forbidden)
        #expect(await code { try await messaging.makeGroup("x", members: ["nobody"], by: ana) } == .notFound)
        #expect(await code { try await messaging.makeGroup(" ", members: [], by: ana) } == .emptyField)
        let many = Array(repeating: "eva", count: 256)
        #expect(await code { try await messaging.makeGroup("x", members: many, by: ana) } == .tooMany)
    }

    @Test func whoIsAddedReadsFromThenOnAndWhoIsRemovedReadsNothing() async throws {
        let id = try await messaging.makeGroup("g", members: ["eva"], by: ana).id
        try await fixture.send("early", to: id, by: ana)
        try await messaging.add("leo", to: id, by: ana)
        try await fixture.send("late", to: id, by: eva)
        #expect(try await fixture.texts(in: id, for: leo) == ["late"])
        #expect(try await messaging.search("early", for: leo).items.isEmpty)
        #expect(await code { try await messaging.remove("ana", from: id, by: leo) } == .forbidden)
        try await messaging.remove("leo", from: id, by: ana)
        #expect(await code { try await messaging.messages(in: id, for: leo) } == .notFound)
        #expect(await code { try await messaging.changes(in: id, after: 0, for: leo) } == .notFound)
        #expect(try await messaging.search("late", for: leo).items.isEmpty)
        #expect(try await messaging.conversations(.all, of: leo).items.isEmpty)
        #expect(await code { try await fixture.send("x", to: id, by: leo) } == .notFound)
        try await messaging.add("leo", to: id, by: ana)
        #expect(try await fixture.texts(in: id, for: leo).isEmpty, "what was written before is not theirs again")
    }

    @Test func adminsChangeTheGroupAndThereIsAlwaysOne() async throws {
        let id = try await messaging.makeGroup("g", members: ["eva", "leo"], by: ana).id
        #expect(await code { try await messaging.rename(id, "h", by: eva) } == .forbidden)
        #expect(await code { try await messaging.add("ana", to: id, by: eva) } == .forbidden)
        #expect(await code { try await messaging.deleteGroup(id, by: eva) } == .forbidden)
        #expect(try await messaging.rename(id, "h", by: ana).name == "h")
        #expect(await code { try await messaging.setRole(.member, of: "ana", in: id, by: ana) } == .conflict)
        try await messaging.setRole(.admin, of: "eva", in: id, by: ana)
        try await messaging.setRole(.member, of: "ana", in: id, by: eva)
        #expect(await code { try await messaging.setRole(.admin, of: "ana", in: id, by: ana) } == .forbidden)
        try await messaging.remove("eva", from: id, by: eva)
        let members = try await messaging.members(of: id, for: ana)
        #expect(members.map(\.member.username) == ["ana", "leo"])
        #expect(members.count { $0.role == .admin } == 1, "one of those who have been in it for the longest time")
        try await messaging.remove("ana", from: id, by: ana)
        try await messaging.remove("leo", from: id, by: leo)
        let count: Int64? = try await fixture.database.read { db in
            try db.firstValue("SELECT COUNT(*) FROM conversation")
        }
        #expect(count == 0, "a group that everybody has left is deleted")
    }

    @Test func aGroupThatIsDeletedIsGoneForEverybody() async throws {
        let id = try await messaging.makeGroup("g", members: ["eva"], by: ana).id
        try await fixture.send("words", to: id, by: eva)
        try await messaging.deleteGroup(id, by: ana)
        for caller in [ana, eva] {
            #expect(await code { try await messaging.conversation(id, for: caller) } == .notFound)
            #expect(try await messaging.search("words", for: caller).items.isEmpty)
        }
    }

    @Test func aMutedGroupDoesNotCountInBadges() async throws {
        let (id, user) = (
            try await messaging.makeGroup("g", members: ["eva"], by: ana).id, try MessagingFixture.id(eva)
        )
        try await fixture.send("hello", to: id, by: ana)
        #expect(try await messaging.badges(of: user).unread == 1)
        #expect(try await messaging.setMuted(true, id, by: eva).isMuted)
        #expect(try await messaging.badges(of: user).unread == 0)
        #expect(try await messaging.setMuted(false, id, by: eva).unread == 2)
    }

    @Test func aGroupLivesOnWithoutADeletedAdmin() async throws {
        let id = try await messaging.makeGroup("g", members: ["eva", "leo"], by: ana).id
        try await fixture.send("mine", to: id, by: ana)
        try await fixture.accounts.deleteAccount(password: TestAccounts.password, by: ana)
        let members = try await messaging.members(of: id, for: eva)
        #expect(members.count == 2 && members.count { $0.role == .admin } == 1)
        #expect(try await fixture.texts(in: id, for: leo) == ["mine"])
    }

    @Test func aConversationOfTwoIsNoGroup() async throws {
        let id = try await messaging.open(with: "eva", by: ana).id
        #expect(await code { try await messaging.rename(id, "x", by: ana) } == .conflict)
        #expect(await code { try await messaging.add("leo", to: id, by: ana) } == .conflict)
        #expect(await code { try await messaging.remove("eva", from: id, by: ana) } == .conflict)
        #expect(await code { try await messaging.deleteGroup(id, by: ana) } == .conflict)
    }
}
