import Accounts
import Catalogue
import Community
import Database
import GatewayTestSupport
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import Messaging

/// Contacts and conversations in a database of the test's own, with a clock that the test moves.
final class MessagingFixture: Sendable {
    private let base: TestAccounts
    let community: Community
    let messaging: Messaging
    /// What members would be notified of.
    let deeds = Mutex<[MessagingDeed]>([])

    var clock: TestClock { base.clock }
    var database: any SQLDatabase { base.database }
    var accounts: Accounts { base.accounts }

    init() async throws {
        base = try await TestAccounts()
        _ = try await Catalogue.open(base.database, program: "test")
        community = try await Community.open(base.database, program: "test", wallClock: base.clock.wallClock)
        messaging = try await Self.open(base)
        messaging.observeDeeds { [weak self] deed, _, _ in self?.deeds.withLock { $0.append(deed) } }
        base.accounts.beforeRemoval { [community, weak messaging] user, db in
            try messaging?.forget(user, db)
            try community.forget(user, db)
        }
    }

    deinit { base.accounts.forgetSteps() }

    private static func open(_ base: TestAccounts) async throws -> Messaging {
        try await Messaging.open(
            base.database, program: "test", wallClock: base.clock.wallClock,
            uptime: { [clock = base.clock] in
                clock.elapsed
            })
    }

    /// Another server with the same database.
    func otherServer() async throws -> Messaging { try await Self.open(base) }

    func member(_ name: String) async throws -> Caller { try await base.caller(name) }

    static func id(_ caller: Caller) throws -> UserID { try #require(caller.principal.member).id }

    static func code(_ body: () async throws -> some Any) async -> Refusal.Code? { await Refusal.of(body)?.code }

    /// Makes two members contacts.
    func connect(_ first: Caller, _ second: Caller) async throws {
        let name = try #require(second.principal.member).username
        let invitation = try await messaging.invite(name, "", by: first)
        _ = try await messaging.answer(invitation.id, accepts: true, by: second)
    }

    /// Sends a text.
    @discardableResult func send(
        _ text: String, to conversation: OpaqueID, by caller: Caller, as id: String = "\(OpaqueID())"
    ) async throws -> ConversationMessage {
        try await messaging.send(NewMessage(clientID: id, content: .text(text)), to: conversation, by: caller).message
    }

    /// The texts that a member reads in a conversation, the first one first.
    func texts(in conversation: OpaqueID, for caller: Caller) async throws -> [String] {
        var (texts, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = try await messaging.messages(in: conversation, for: caller, after: cursor, limit: 100)
            texts += page.items.filter { $0.kind == .text && !$0.isDeleted }.map(\.text)
            cursor = page.next
        } while cursor != nil
        return texts.reversed()
    }
}
