import Accounts
import Community
import Database
import DatabaseTestSupport
import GatewayTestSupport
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import Messaging

@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct ContactTests {
    private let fixture: MessagingFixture
    private var messaging: Messaging { fixture.messaging }

    init() async throws { fixture = try await MessagingFixture() }

    private func code(_ body: () async throws -> some Any) async -> Refusal.Code? {
        await MessagingFixture.code(body)
    }

    @Test func anInvitationThatIsAcceptedMakesContactsOfBothAndBothAreTold() async throws {
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        let sent = try await messaging.invite("EVA", "Shall we\nbe <b>friends</b>?\u{1B}", by: ana)
        let waiting = try await messaging.invitations(for: eva).items
        #expect(waiting.map(\.id) == [sent.id] && waiting.first?.text == "Shall we\nbe <b>friends</b>?")
        #expect(waiting.first?.sender.username == "ana")
        #expect(try await messaging.contacts(of: ana).items.isEmpty)
        #expect(await code { try await messaging.invite("eva", "", by: ana) } == .conflict, "invited already")
        #expect(await code { try await messaging.answer(sent.id, accepts: true, by: ana) } == .notFound)
        _ = try await messaging.answer(sent.id, accepts: true, by: eva)
        #expect(await code { try await messaging.answer(sent.id, accepts: false, by: eva) } == .conflict)
        #expect(try await messaging.contacts(of: ana).items.map(\.member.username) == ["eva"])
        #expect(try await messaging.contacts(of: eva).items.map(\.member.username) == ["ana"])
        #expect(try await messaging.invitations(for: eva).items.isEmpty)
        let (first, second) = (try MessagingFixture.id(ana), try MessagingFixture.id(eva))
        #expect(
            fixture.deeds.withLock { $0 } == [
                .invited(sent.id, receiver: second, by: first), .connected(sent.id, first, second),
            ])
        #expect(await code { try await messaging.invite("eva", "", by: ana) } == .conflict, "contacts already")
        try await messaging.removeContact("ana", by: eva)
        #expect(try await messaging.contacts(of: ana).items.isEmpty)
        #expect(await code { try await messaging.removeContact("ana", by: eva) } == .notFound)
    }

    @Test func arefusedInvitationIsToldAndCannotBeRepeatedForThirtyDays() async throws {
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        let sent = try await messaging.invite("eva", "", by: ana)
        _ = try await messaging.answer(sent.id, accepts: false, by: eva)
        #expect(try await messaging.contacts(of: eva).items.isEmpty)
        let (first, second) = (try MessagingFixture.id(ana), try MessagingFixture.id(eva))
        #expect(fixture.deeds.withLock { $0.last } == .refused(sent.id, sender: first, by: second))
        #expect(await code { try await messaging.invite("eva", "", by: ana) } == .conflict)
        fixture.clock.advance(by: .seconds(31 * 86_400))
        #expect(try await messaging.invite("eva", "", by: ana).state == .open)
    }

    @Test func invitingSomebodyWhoHasInvitedAccepts() async throws {
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        let sent = try await messaging.invite("eva", "", by: ana)
        #expect(try await messaging.invite("ana", "", by: eva).id == sent.id)
        #expect(try await messaging.contact("eva", of: ana).member.username == "eva")
    }

    @Test func invitationsAreForTheirMembersAndCanBeWithdrawn() async throws {
        let (ana, eva, leo) = (
            try await fixture.member("ana"), try await fixture.member("eva"), try await fixture.member("leo")
        )
        let sent = try await messaging.invite("eva", "secret", by: ana)
        #expect(await code { try await messaging.invitation(sent.id, for: leo) } == .notFound)
        #expect(await code { try await messaging.answer(sent.id, accepts: true, by: leo) } == .notFound)
        #expect(await code { try await messaging.withdraw(sent.id, by: leo) } == .notFound)
        #expect(await code { try await messaging.withdraw(sent.id, by: eva) } == .notFound)
        #expect(try await messaging.invitation(sent.id, for: eva).text == "secret")
        try await messaging.withdraw(sent.id, by: ana)
        #expect(await code { try await messaging.answer(sent.id, accepts: true, by: eva) } == .notFound)
        #expect(await code { try await messaging.invite("ana", "", by: ana) } == .conflict, "oneself")
        #expect(await code { try await messaging.invite("nobody", "", by: ana) } == .notFound)
        #expect(
            await code { try await messaging.invite("eva", String(repeating: "a", count: 1_001), by: ana) }
                == .invalidField)
    }

    @Test func aMemberSendsTwentyInvitationsADay() async throws {
        let ana = try await fixture.member("ana")
        for number in 0...20 { _ = try await fixture.member("m\(number)x") }
        for number in 0..<20 { _ = try await messaging.invite("m\(number)x", "", by: ana) }
        #expect(await code { try await messaging.invite("m20x", "", by: ana) } == .tooManyAttempts)
        fixture.clock.advance(by: .seconds(86_401))
        #expect(await code { try await messaging.invite("m20x", "", by: ana) } == nil)
    }

    @Test func whoBlocksIsNoContactAndIsNotInvited() async throws {
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        try await fixture.connect(ana, eva)
        let conversation = try await messaging.open(with: "eva", by: ana)
        try await fixture.send("before", to: conversation.id, by: ana)
        _ = try await fixture.community.setBarrier(.block, true, "ana", by: eva)
        for caller in [ana, eva] { #expect(try await messaging.contacts(of: caller).items.isEmpty) }
        #expect(await code { try await fixture.send("after", to: conversation.id, by: ana) } == .forbidden)
        #expect(await code { try await fixture.send("after", to: conversation.id, by: eva) } == .conflict)
        #expect(await code { try await messaging.invite("eva", "", by: ana) } == .forbidden)
        #expect(await code { try await messaging.invite("ana", "", by: eva) } == .conflict)
        _ = try await fixture.community.setBarrier(.block, false, "ana", by: eva)
        #expect(try await messaging.contacts(of: ana).items.count == 1)
        try await fixture.send("again", to: conversation.id, by: ana)
        #expect(try await fixture.texts(in: conversation.id, for: eva) == ["before", "again"])
    }

    @Test func contactsAreFoundByNameAndLettersJump() async throws {
        let ana = try await fixture.member("ana")
        for name in ["bea", "Berta", "carla", "zoe"] { try await fixture.connect(ana, try await fixture.member(name)) }
        func names(_ text: String = "", from letter: String? = nil) async throws -> [String] {
            try await messaging.contacts(text, from: letter, of: ana).items.map(\.member.username)
        }
        #expect(try await names() == ["bea", "Berta", "carla", "zoe"])
        #expect(try await names("BE") == ["bea", "Berta"])
        #expect(try await names(from: "c") == ["carla", "zoe"])
        #expect(try await messaging.contactLetters(of: ana) == ["b", "c", "z"])
        let first = try await messaging.contacts(of: ana, limit: 3)
        #expect(first.items.count == 3)
        let rest = try await messaging.contacts(of: ana, after: first.next, limit: 3)
        #expect(rest.items.map(\.member.username) == ["zoe"] && rest.next == nil)
        #expect(await code { try await messaging.contacts(of: ana, after: "x") } == .invalidCursor)
    }

    @Test func aMemberIsFoundByAnAddressOnlyIfTheyAllowIt() async throws {
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        let id = try MessagingFixture.id(eva)
        try await fixture.database.write { db in
            try db.execute(
                """
                UPDATE account SET email = 'Eva@example.org', emailKey = 'eva@example.org', emailConfirmedAt = 1,
                    mobile = '+34 600 123 456' WHERE id = ?1
                """, .text(id.text))
        }
        for address in ["eva@example.org", "+34600123456", "nobody@example.org"] {
            #expect(try await messaging.find(byAddress: address, by: ana).isEmpty, "\(address)")
        }
        _ = try await messaging.changePreferences(of: eva) { preferences in
            (preferences.isFoundByEmail, preferences.isFoundByPhone) = (true, true)
        }
        for address in ["EVA@example.org", "0034 600-123-456"] {
            #expect(try await messaging.find(byAddress: address, by: ana).map(\.username) == ["eva"], "\(address)")
        }
        // A number that is no longer theirs finds nobody.
        try await fixture.database.write { db in
            try db.execute("UPDATE account SET mobile = '+34 600 000 000' WHERE id = ?1", .text(id.text))
        }
        #expect(try await messaging.find(byAddress: "+34600123456", by: ana).isEmpty)
        #expect(await code { try await messaging.find(byAddress: "eva", by: ana) } == .invalidField)
        for _ in 0..<14 { _ = try await messaging.find(byAddress: "nobody@example.org", by: ana) }
        #expect(await code { try await messaging.find(byAddress: "eva@example.org", by: ana) } == .tooManyAttempts)
        fixture.clock.advance(by: .seconds(3_601))
        #expect(try await messaging.find(byAddress: "eva@example.org", by: ana).count == 1)
        let noNumber = await code { try await messaging.changePreferences(of: ana) { $0.isFoundByPhone = true } }
        #expect(noNumber == .conflict)
    }

    @Test func contactsSeeWhoIsOnlineIfBothShareIt() async throws {
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        try await fixture.connect(ana, eva)
        #expect(try await messaging.contact("eva", of: ana).seenAt == nil)
        try await messaging.noteSeen(try MessagingFixture.id(eva))
        let seen = try await messaging.contact("eva", of: ana)
        #expect(seen.isOnline(at: messaging.now))
        fixture.clock.advance(by: .seconds(120))
        #expect(!seen.isOnline(at: messaging.now) && seen.seenAt != nil)
        _ = try await messaging.changePreferences(of: ana) { $0.sharesPresence = false }
        #expect(try await messaging.contact("eva", of: ana).seenAt == nil, "who hides it sees nobody's")
        _ = try await messaging.changePreferences(of: ana) { $0.sharesPresence = true }
        _ = try await messaging.changePreferences(of: eva) { $0.sharesPresence = false }
        #expect(try await messaging.contact("eva", of: ana).seenAt == nil)
    }
}
