import Accounts
import Community
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Notifications

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct NotificationsTests {
    private let fixture: NotificationsFixture
    private var notifications: Notifications { fixture.notifications }

    init() async throws { fixture = try await NotificationsFixture() }

    /// Publishes videos in windows of their own.
    private func publish(_ count: Int, by caller: Caller) async throws {
        for number in 0..<count {
            fixture.clock.advance(by: .seconds(3_600))
            _ = try await fixture.publish("v\(number)", by: caller)
            try await notifications.tellAll()
        }
    }

    @Test func theSchemaDescribesTheTables() async throws {
        for table in NotificationSchema.schema.tables {
            let columns = table.columns.map(\.name).joined(separator: ", ")
            let count: Int64? = try await fixture.database.read { db in
                try db.firstValue("SELECT COUNT(*) FROM (SELECT \(columns) FROM \(table.name)) AS described")
            }
            #expect(count == 0, "\(table.name)")
        }
    }

    /// The one that is woken finds the deed; before, it often waited for the next look.
    @Test func theServiceIsWokenAfterTheCommit() async throws {
        let ana = try await fixture.member("ana")
        for number in 1...10 {
            async let found = { [notifications] in
                for await _ in notifications.wakeUps { return try await notifications.waitingCount() }
                return 0
            }()
            _ = try await fixture.publish("v\(number)", by: ana)
            #expect(try await found == Int64(number))
        }
        // A change that is given up wakes nobody: its deed is not there.
        await #expect(throws: (any Error).self) { try await fixture.publish("v1", by: ana) }
        #expect(try await notifications.waitingCount() == 10)
    }

    @Test func pagesFollowOneAnother() async throws {
        let (ana, leo) = (try await fixture.member("ana"), try await fixture.member("leo"))
        try await publish(5, by: ana)
        let user = try NotificationsFixture.id(leo)
        var (names, cursor): ([String?], String?) = ([], nil)
        repeat {
            let (page, unread) = try await notifications.notifications(of: user, after: cursor, limit: 2)
            #expect(unread == 5)
            names += page.items.map { $0.items.first?.video?.name }
            cursor = page.next
        } while cursor != nil
        #expect(names == ["v4", "v3", "v2", "v1", "v0"])
        for cursor in ["", "1", "x-1", "1-x", "-1-1", "1-99999999999999999999"] {
            let code = await NotificationsFixture.code {
                try await notifications.notifications(of: user, after: cursor)
            }
            #expect(code == .invalidCursor, "\(cursor)")
        }
    }

    @Test func marksAreTheReadersOwn() async throws {
        let (ana, leo, eva) = (
            try await fixture.member("ana"), try await fixture.member("leo"), try await fixture.member("eva")
        )
        try await publish(5, by: ana)
        let (user, other) = (try NotificationsFixture.id(leo), try NotificationsFixture.id(eva))
        let told = try await fixture.told(leo)
        #expect(
            await NotificationsFixture.code { try await notifications.markRead(told[0].id, of: other) } == .notFound)
        try await notifications.markRead(told[1].id, of: user)
        #expect(try await fixture.unread(leo) == 4)
        try await notifications.markRead(through: told[3].id, of: user)
        #expect(try await fixture.told(leo).map { $0.readAt == nil } == [true, false, true, false, false])
        try await notifications.markAllRead(of: user)
        try await notifications.markAllRead(of: user)
        #expect(try await fixture.unread(leo) == 0)
        #expect(try await fixture.unread(eva) == 5)
        // Something new in the same window makes it unread again.
        _ = try await fixture.publish("again", by: ana)
        try await notifications.tellAll()
        #expect(try await fixture.unread(leo) == 1)
        #expect(try await fixture.told(leo).first?.count == 2)
    }

    @Test func devicesLearnOfWhatChanges() async throws {
        let (ana, leo) = (try await fixture.member("ana"), try await fixture.member("leo"))
        let user = try NotificationsFixture.id(leo)
        var streams: [RevisionStream] = []
        for _ in 0..<RevisionStreams<UserID>.maximumCountPerGroup {
            streams.append(try await notifications.stream(of: user))
        }
        #expect(await NotificationsFixture.code { try await notifications.stream(of: user) } == .tooMany)
        streams[0].end()
        #expect(notifications.streamCount == RevisionStreams<UserID>.maximumCountPerGroup - 1)
        var signals = streams[1].signals.makeAsyncIterator()
        try await publish(2, by: ana)
        try await notifications.refreshStreams()
        #expect(await signals.next() == .changed)
        let changes = try await notifications.changes(of: user, after: streams[1].begunAt)
        #expect(changes.notifications.count == 2 && changes.unread == 2 && !changes.isIncomplete)
        // One device marks, the other one is told, and gets what has changed only.
        try await notifications.markRead(changes.notifications[1].id, of: user)
        #expect(await signals.next() == .changed)
        let marked = try await notifications.changes(of: user, after: changes.revision)
        #expect(marked.notifications.map(\.id) == [changes.notifications[1].id] && marked.unread == 1)
        #expect(marked.notifications.first?.readAt != nil)
        notifications.closeStreams()
        #expect(await signals.next() == nil)
        #expect(await NotificationsFixture.code { try await notifications.stream(of: user) } == .busy)
    }

    @Test func oldNotificationsGo() async throws {
        let (ana, leo) = (try await fixture.member("ana"), try await fixture.member("leo"))
        try await publish(3, by: ana)
        fixture.clock.advance(by: NotificationSettings.retention - .seconds(1_800))
        try await notifications.maintain()
        #expect(try await fixture.told(leo).count == 1)
        fixture.clock.advance(by: .seconds(2 * 3_600))
        try await notifications.maintain()
        #expect(try await fixture.told(leo).isEmpty)
        let user = try NotificationsFixture.id(leo)
        let count = NotificationSettings.maximumCount + 3
        try await fixture.database.write { [now = notifications.now] db in
            for number in 0..<count {
                try NotificationRows.add(
                    NewNotification(
                        kind: .newVideo, topic: "\(number)", deed: 1, windowAt: now,
                        changedAt: now + .milliseconds(number), windowEndsAt: now), to: [(user, [.site])], db)
            }
        }
        try await notifications.maintain()
        let kept: Int64? = try await fixture.database.read { db in
            try db.firstValue("SELECT COUNT(*) FROM notification WHERE receiverID = ?1", .text(user.text))
        }
        #expect(kept == Int64(NotificationSettings.maximumCount))
    }

    @Test func nothingIsLeftOfAnAccountThatIsDeleted() async throws {
        let (ana, leo) = (try await fixture.member("ana"), try await fixture.member("leo"))
        let (own, other) = (try await fixture.publish("a", by: ana), try await fixture.publish("b", by: leo))
        for (video, caller) in [(own, leo), (other, ana)] {
            _ = try await fixture.community.setLike(true, of: video.id, by: caller)
            _ = try await fixture.community.comment("hello", on: video.id, by: caller, isModerator: false)
        }
        _ = try await fixture.community.setFollow(true, "leo", by: ana)
        _ = try await fixture.community.setFollow(true, "ana", by: leo)
        let user = try NotificationsFixture.id(ana)
        _ = try await notifications.changePreferences(of: user) { $0[.followed] = [.mail] }
        try await notifications.tellAll()
        _ = try await fixture.community.setFollow(false, "leo", by: ana)
        #expect(try await fixture.told(leo).count == 4)
        try await fixture.accounts.removeAccount(user, by: fixture.operatorCaller)
        try await notifications.tellAll()
        #expect(try await fixture.told(leo).isEmpty)
        let rows = try await fixture.database.read { db in
            try NotificationSchema.schema.tables.flatMap { table in
                try table.columns.filter { $0.type == .text }.filter { column in
                    try db.exists(
                        "SELECT 1 FROM \(table.name) WHERE \(column.name) LIKE ?1", .text("%\(user.text)%"))
                }.map { "\(table.name).\($0.name)" }
            }
        }
        #expect(rows == [])
    }

    @Test func listsUseAnIndex() async throws {
        let users = try await [fixture.member("ana"), fixture.member("leo")].map(NotificationsFixture.id)
        // More than a request has time for on a busy machine.
        try await fixture.database.write(durability: .soon, within: .seconds(60)) { db in
            for (number, user) in users.enumerated() {
                for start in 0..<20 {
                    for row in 0..<50 {
                        let place = WallClockTime(millisecondsSince1970: Int64(start * 50 + row))
                        try NotificationRows.add(
                            NewNotification(
                                kind: .newVideo, topic: "\(number)", deed: 1, windowAt: place, changedAt: place,
                                windowEndsAt: place), to: [(user, [.site])], db)
                    }
                }
            }
            try db.execute("UPDATE notification SET readAt = 1 WHERE changedAt > 20")
            try db.execute(db.dialect == .sqlite ? "ANALYZE" : "ANALYZE notification")
        }
        let user = SQLValue.text(users[0].text)
        let statements: [(sql: String, arguments: [SQLValue], index: String)] = [
            (NotificationRows.pageStatement, [user, .integer(.max), .integer(.max), 20], "notification_list"),
            (NotificationRows.unreadStatement, [user, 100], "notification_unread"),
            (NotificationRows.changeStatement, [user, 0, 20], "notification_revision"),
        ]
        for statement in statements {
            let plan = try await fixture.database.read { db in try db.plan(of: statement.sql, statement.arguments) }
                .joined(separator: "\n")
            #expect(plan.lowercased().contains(statement.index), "\(plan)")
            #expect(!plan.contains("TEMP B-TREE") && !plan.contains("Sort"), "\(plan)")
        }
    }
}
