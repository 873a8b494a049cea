import Accounts
import Catalogue
import Community
import Crypto
import Database
import Forum
import GatewayTestSupport
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import Notifications

/// Notifications of a community in a database of the test's own, with a clock that the test moves.
final class NotificationsFixture: Sendable {
    private let base: TestAccounts
    let catalogue: Catalogue
    let community: Community
    let forum: Forum
    let notifications: Notifications
    /// The members who have a webhook that wants notifications.
    let webhookOwners = WebhookOwners()

    final class WebhookOwners: Sendable {
        let users = Mutex<Set<UserID>>([])
    }

    static let key = SymmetricKey(data: [UInt8](repeating: 1, count: 32))
    let operatorCaller = TestAccounts.machine

    var clock: TestClock { base.clock }
    var database: any SQLDatabase { base.database }
    var accounts: Accounts { base.accounts }

    init(batchSize: Int = 500) async throws {
        base = try await TestAccounts()
        catalogue = try await Catalogue.open(base.database, program: "test")
        community = try await Community.open(base.database, program: "test", wallClock: base.clock.wallClock)
        forum = try await Forum.open(
            base.database, community: community, program: "test", wallClock: base.clock.wallClock)
        notifications = try await Notifications.open(
            base.database, program: "test", accounts: base.accounts, key: Self.key,
            wallClock: base.clock.wallClock, batchSize: batchSize
        ) { [webhookOwners] _ in webhookOwners.users.withLock { $0 } }
        community.observeDeeds { [notifications] deed, time, db in try notifications.note(deed, at: time, db) }
        base.accounts.beforeRemoval { [community, notifications] user, db in
            try notifications.forget(user, db)
            try community.forget(user, db)
        }
    }

    func member(_ name: String, role: Role = .member) async throws -> Caller { try await base.caller(name, role) }

    static func id(_ caller: Caller) throws -> UserID { try #require(caller.principal.member).id }

    func publish(
        _ title: String, by caller: Caller, _ change: (inout VideoContents) -> Void = { _ in }
    ) async throws -> Video {
        _ = try await catalogue.add(InMemoryContent.title(title))
        var contents = VideoContents(name: title)
        change(&contents)
        return try await community.publish(contents, title: title, by: caller)
    }

    /// A competition of three days that begins today.
    func competition() async throws -> Competition {
        try await community.createCompetition(
            name: "Rally", description: "",
            schedule: try CompetitionSchedule(
                timeZone: "Europe/Madrid", firstDay: try #require(CivilDate(parsing: "2026-01-01")), dayCount: 3),
            by: operatorCaller)
    }

    /// A member's notifications, newest first.
    func told(_ caller: Caller) async throws -> [MemberNotification] {
        try await notifications.notifications(of: Self.id(caller), limit: 100).page.items
    }

    func kinds(_ caller: Caller) async throws -> [NotificationKind] { try await told(caller).map(\.kind) }

    func unread(_ caller: Caller) async throws -> Int { try await notifications.unreadCount(of: Self.id(caller)) }

    static func code(_ body: () async throws -> some Any) async -> Refusal.Code? {
        await Refusal.of(body)?.code
    }
}
