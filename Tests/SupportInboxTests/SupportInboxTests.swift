import Accounts
import Database
import DatabaseTestSupport
import GatewayTestSupport
import MediaCore
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import SupportInbox

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct SupportInboxTests {
    private final class Forwarded: Sendable {
        let messages = Mutex<[SupportMessage]>([])
    }

    private let fixture: TestAccounts
    private let inbox: SupportInbox
    private let forwarded = Forwarded()

    init() async throws {
        fixture = try await TestAccounts()
        inbox = try await SupportInbox.open(
            fixture.database, program: "test", wallClock: fixture.clock.wallClock
        ) { [forwarded] message in forwarded.messages.withLock { $0.append(message) } }
    }

    private func stranger(_ number: Int = 1) -> Caller {
        let address = "192.0.2.\(number)"
        return Caller(
            .anonymous, RequestOrigin(AddressGroup(try? SocketAddress(ipAddress: address, port: 1)), address: address))
    }

    private func send(_ text: String = "It does not play.", from caller: Caller) async throws -> SupportMessage {
        try await inbox.send(sender: "ana@example.org", subject: "Film", text: text, by: caller)
    }

    private func code(_ body: () async throws -> some Any) async -> Refusal.Code? {
        await Refusal.of(body)?.code
    }

    @Test func aMessageIsKeptForwardedAndDeleted() async throws {
        let first = try await send("Line one\nline\u{1B}[31m two", from: stranger())
        let second = try await send(from: stranger())
        let page = try await inbox.messages(limit: 1)
        #expect(page.items.map(\.id) == [second.id])
        #expect(try await inbox.messages(after: page.next, limit: 1).items.map(\.id) == [first.id])
        let kept = try await inbox.message(first.id)
        #expect(kept.text.contains("\n") && !kept.text.contains("\u{1B}"))
        #expect(kept.address == "192.0.2.1" && kept.user == nil)
        #expect(forwarded.messages.withLock { $0.map(\.id) } == [first.id, second.id])
        try await inbox.remove(first.id)
        #expect(await code { try await inbox.message(first.id) } == .notFound)
        #expect(await code { try await inbox.remove(first.id) } == .notFound)
    }

    @Test func anAddressSendsSomeMessagesInAnHour() async throws {
        let results = await withTaskGroup(of: Refusal.Code?.self) { group in
            for _ in 0..<20 { group.addTask { await code { try await send(from: stranger()) } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count { $0 == nil } == SupportMessage.maximumCountPerAddress)
        #expect(results.count { $0 == .tooManyAttempts } == 20 - SupportMessage.maximumCountPerAddress)
        #expect(await code { try await send(from: stranger(2)) } == nil, "another address")
        fixture.clock.advance(by: SupportMessage.addressWindow)
        #expect(await code { try await send(from: stranger()) } == nil)
    }

    private func fill(_ group: (Int) -> String) async throws {
        let groups = (0..<SupportMessage.maximumCount).map(group)
        try await fixture.database.write { db in
            for (number, group) in groups.enumerated() {
                _ = try db.execute(
                    """
                    INSERT INTO supportMessage(id, sender, subject, text, addressGroup, address, sentAt)
                    VALUES (?1, 'a', 'b', 'c', ?2, 'g', 0)
                    """, .text("m\(number)"), .text(group))
            }
        }
    }

    @Test func twoHundredAddressesDoNotCloseTheInbox() async throws {
        try await fill { "flood\($0 / 5)" }
        for number in 1...3 {
            let sent = try await send(from: stranger(number))
            #expect(try await inbox.message(sent.id).id == sent.id)
        }
        let ids: [String] = try await fixture.database.read { db in
            try db.rows("SELECT id FROM supportMessage WHERE id < 'm2' ORDER BY number", []) { try $0.value(0) }
        }
        #expect(ids.first == "m1", "the oldest message of an address that has sent much makes room")
        let count: Int64? = try await fixture.database.read { db in
            try db.firstValue("SELECT COUNT(*) FROM supportMessage")
        }
        #expect(count == Int64(SupportMessage.maximumCount))
    }

    @Test func anInboxInWhichEverybodyHasOneMessageIsFull() async throws {
        try await fill { "one\($0)" }
        #expect(await code { try await send(from: stranger()) } == .busy)
        #expect(forwarded.messages.withLock { $0.isEmpty })
    }

    @Test func aMessageOfADeletedAccountNamesNobody() async throws {
        let ana = try await fixture.caller("ana")
        let sent = try await send("Help", from: ana)
        fixture.accounts.beforeRemoval { user, db in try SupportInbox.forget(user, db) }
        try await fixture.accounts.deleteAccount(password: TestAccounts.password, by: ana)
        let kept = try await inbox.message(sent.id)
        #expect(kept.text == "Help" && kept.sender.isEmpty && kept.address.isEmpty && kept.user == nil)
        let rest: String? = try await fixture.database.read { db in
            try db.firstValue("SELECT addressGroup FROM supportMessage")
        }
        #expect(rest == sent.id.text)
    }

    @Test func whatIsMissingOrTooLongIsRefused() async throws {
        let caller = stranger()
        #expect(await code { try await inbox.send(sender: " ", subject: "s", text: "t", by: caller) } == .missingFields)
        let long = String(repeating: "x", count: SupportMessage.maximumTextLength + 1)
        #expect(await code { try await send(long, from: caller) } == .invalidField)
        let subject = String(repeating: "x", count: SupportMessage.maximumSubjectLength + 1)
        #expect(
            await code { try await inbox.send(sender: "a", subject: subject, text: "t", by: caller) } == .invalidField)
        #expect(await code { try await send(String(long.dropLast()), from: caller) } == nil)
    }
}
