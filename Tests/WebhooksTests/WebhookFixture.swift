import Accounts
import Crypto
import Database
import Events
import GatewayTestSupport
import JSONDocument
import Logging
import MediaCore
import TestSupport

@testable import Webhooks

/// Receivers in a database of the test's own, with a clock that the test moves.
struct WebhookFixture: Sendable {
    let accounts: TestAccounts
    let journal: EventJournal
    let receiver: ScriptedReceiver
    let webhooks: Webhooks
    let dispatcher: WebhookDispatcher
    let key: SymmetricKey

    static let url = "https://example.org/antena"
    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    static let machine = TestAccounts.machine
    /// Events of channels, which have audiences, and of titles.
    static let kinds = EventKinds([
        EventKind(.channel, [.channelUp, .channelDown]) { name, _, audiences in audiences.channel(name) },
        EventKind(.title, [.titleReady]) { id, _, audiences in audiences.title(id: id) },
    ])

    var clock: TestClock { accounts.clock }
    var database: any SQLDatabase { accounts.database }

    init(allowsPrivateAddresses: Bool = false) async throws {
        accounts = try await TestAccounts()
        key = SymmetricKey(size: .bits256)
        receiver = ScriptedReceiver(accounts.clock)
        (journal, webhooks, dispatcher) = try await Self.server("one", accounts, receiver, key, allowsPrivateAddresses)
    }

    /// A further server with the same database.
    func otherServer(_ holder: String) async throws -> (EventJournal, Webhooks, WebhookDispatcher) {
        try await Self.server(holder, accounts, receiver, key, false)
    }

    private static func server(
        _ holder: String, _ accounts: TestAccounts, _ receiver: ScriptedReceiver, _ key: SymmetricKey,
        _ allowsPrivateAddresses: Bool
    ) async throws -> (EventJournal, Webhooks, WebhookDispatcher) {
        let journal = try await EventJournal.open(
            accounts.database, program: "test", wallClock: accounts.clock.wallClock, logger: logger)
        let webhooks = try await Webhooks.open(
            accounts.database, program: "test", journal: journal, kinds: kinds, accounts: accounts.accounts,
            sender: receiver,
            key: key, allowsPrivateAddresses: allowsPrivateAddresses, wallClock: accounts.clock.wallClock)
        return (journal, webhooks, WebhookDispatcher(webhooks, holder: holder, logger: logger, factor: { 1 }))
    }

    /// Adds a receiver of the station.
    @discardableResult func add(
        _ change: (inout WebhookSettings) -> Void = { _ in }
    ) async throws -> (receiver: WebhookReceiver, secret: WebhookSecret) {
        var settings = WebhookSettings(url: Self.url)
        change(&settings)
        return try await webhooks.create(settings, by: Self.machine)
    }

    /// Notes events about channels, which are numbered from `first`.
    func happen(_ channels: [String], from first: Int = 0) async {
        for (index, channel) in channels.enumerated() {
            journal.note(
                NewEvent(
                    .channelUp, EventSubject(.channel, channel), at: clock.time, [("n", .integer(first + index))]))
        }
        await journal.flush()
    }

    /// Lets time pass, with a turn every so often.
    func pass(_ duration: Duration, every step: Duration = .seconds(1), _ dispatcher: WebhookDispatcher? = nil) async {
        var passed = Duration.zero
        while passed < duration {
            clock.advance(by: step)
            passed += step
            await (dispatcher ?? self.dispatcher).turn()
        }
    }

    func log(_ id: OpaqueID, _ state: WebhookDelivery.State? = nil) async throws -> [WebhookDelivery] {
        try await webhooks.deliveries(of: id, state, limit: 100, by: Self.machine).items
    }

    func current(_ id: OpaqueID) async throws -> (receiver: WebhookReceiver, pendingCount: Int) {
        try await webhooks.receiver(id, by: Self.machine)
    }
}

extension EventSubject.Kind {
    static let channel = Self(rawValue: "channel")
    static let title = Self(rawValue: "title")
}

extension EventType {
    static let channelUp = Self(rawValue: "channel.up")
    static let channelDown = Self(rawValue: "channel.down")
    static let titleReady = Self(rawValue: "title.ready")
}
