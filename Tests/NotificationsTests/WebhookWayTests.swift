import Accounts
import Community
import Database
import DatabaseTestSupport
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import Notifications

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct WebhookWayTests {
    private let fixture: NotificationsFixture
    private var notifications: Notifications { fixture.notifications }

    init() async throws { fixture = try await NotificationsFixture(batchSize: 2) }

    private final class Told: Sendable {
        let items = Mutex<[WebhookNotification]>([])
    }

    private struct Failure: Error {}

    private func take(limit: Int = 100, failing: Bool = false) async throws -> [WebhookNotification] {
        let told = Told()
        while try await notifications.takeForWebhooks(
            limit: limit,
            { items, _ in
                if failing { throw Failure() }
                told.items.withLock { $0 += items }
            })
        {}
        return told.items.withLock { $0 }
    }

    private func own(_ callers: [Caller]) throws {
        let users = Set(try callers.map(NotificationsFixture.id))
        fixture.webhookOwners.users.withLock { $0 = users }
    }

    @Test func onlyThoseWhoHaveAWebhookAreTold() async throws {
        let ana = try await fixture.member("ana")
        var others: [Caller] = []
        for number in 0..<7 { others.append(try await fixture.member("member\(number)")) }
        try own([others[1], others[4], others[5], ana])
        _ = try await notifications.changePreferences(of: try NotificationsFixture.id(others[4])) {
            $0[.newVideos] = [.site]
        }
        #expect(try await take().isEmpty)
        for name in ["a", "b"] { _ = try await fixture.publish(name, by: ana) }
        try await notifications.tellAll()
        let waiting: Int64? = try await fixture.database.read { db in
            try db.firstValue("SELECT COUNT(*) FROM notification WHERE webhookDueAt IS NOT NULL")
        }
        #expect(waiting == 2, "nothing waits for those who have none")
        // What could not be passed on is not lost.
        await #expect(throws: Failure.self) { _ = try await take(failing: true) }
        let told = try await take(limit: 1)
        #expect(told.map(\.notification.count) == [2, 2])
        let expected = Set(try [others[1], others[5]].map(NotificationsFixture.id))
        #expect(Set(told.map(\.receiver)) == expected)
        #expect(try await take().isEmpty)
        // More of the same window is not told again; the next window is.
        _ = try await fixture.publish("c", by: ana)
        try await notifications.tellAll()
        #expect(try await take().isEmpty)
        fixture.clock.advance(by: notifications.settings.window)
        _ = try await fixture.publish("d", by: ana)
        try await notifications.tellAll()
        #expect(try await take().map(\.notification.count) == [1, 1])
    }

    /// Preferences that were saved before there was a way have its default, unless nothing of a group was wanted.
    @Test func savedPreferencesHaveTheDefaultOfANewWay() async throws {
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        try own([eva])
        let user = try NotificationsFixture.id(eva)
        try await fixture.database.write { db in
            // As versions without webhooks wrote it: on the site, nothing, by mail and push.
            try db.execute(
                "INSERT INTO notificationPreference(userID, newVideos, aboutMe, followed) VALUES (?1, 1, 0, 6)",
                .text(user.text))
        }
        let saved = try await notifications.preferences(of: user)
        #expect(saved[.newVideos] == [.site, .webhook] && saved[.aboutMe] == [])
        #expect(saved[.followed] == [.mail, .push, .webhook])
        _ = try await fixture.publish("a", by: ana)
        _ = try await fixture.community.setFollow(true, "eva", by: ana)
        try await notifications.tellAll()
        #expect(try await take().map(\.notification.kind) == [.newVideo])
        // From then on it is a choice.
        let changed = try await notifications.changePreferences(of: user) { $0[.newVideos] = [.site] }
        #expect(changed[.newVideos] == [.site] && changed[.followed] == [.mail, .push, .webhook])
        #expect(try await notifications.preferences(of: user) == changed)
    }

    @Test func whatIsGoneOrNotWantedAnyMoreIsNotTold() async throws {
        let (ana, eva, leo) = (
            try await fixture.member("ana"), try await fixture.member("eva"), try await fixture.member("leo")
        )
        try own([eva, leo])
        let video = try await fixture.publish("a", by: ana)
        _ = try await fixture.community.setFollow(true, "eva", by: ana)
        try await notifications.tellAll()
        try await fixture.community.withdraw(video.id, by: ana, mayManage: false)
        _ = try await notifications.changePreferences(of: try NotificationsFixture.id(eva)) {
            $0[.aboutMe].remove(.webhook)
        }
        #expect(try await take().isEmpty)
        #expect(try await notifications.hasWebhook(try NotificationsFixture.id(leo)))
        #expect(try await !notifications.hasWebhook(try NotificationsFixture.id(ana)))
    }

    @Test func whatIsDueIsFoundByAnIndex() async throws {
        guard fixture.database.dialect == .sqlite else { return }
        let plan = try await fixture.database.read { db in
            try db.rows("EXPLAIN QUERY PLAN \(WebhookRows.dueStatement)", [.integer(0), .integer(1)]) { row in
                try row.value(3) as String
            }
        }
        #expect(plan.joined(separator: "; ").contains("notification_webhook"), "\(plan)")
    }
}
