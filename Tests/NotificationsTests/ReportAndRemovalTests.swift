import Accounts
import Catalogue
import Community
import Database
import DatabaseTestSupport
import GatewayTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Notifications

/// The receivers of reports, and the notifications that go with a removed video.
@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct ReportAndRemovalTests {
    private let fixture: NotificationsFixture
    private var notifications: Notifications { fixture.notifications }
    private var community: Community { fixture.community }

    init() async throws { fixture = try await NotificationsFixture(batchSize: 2) }

    private func member(_ name: String, _ role: Role = .member) async throws -> Caller {
        try await fixture.member(name, role: role)
    }

    @Test func aReportIsToldToTheOwnerWithoutANameAndToThoseWhoDecide() async throws {
        let (ana, eva) = (try await member("ana"), try await member("eva"))
        let (mod, boss) = (try await member("mod", .moderator), try await member("boss", .administrator))
        let video = try await fixture.publish("a", by: ana)
        let comment = try await community.comment("hello", on: video.id, by: eva, isModerator: false)
        try await notifications.tellAll()
        for caller in [ana, eva, mod, boss] { try await notifications.markAllRead(of: NotificationsFixture.id(caller)) }
        try await community.report(.video, video.id, .other, text: "secret words", by: eva)
        try await community.report(.comment, comment.id, .other, text: "", by: ana)
        try await community.report(
            .profile, OpaqueID(try NotificationsFixture.id(ana)), .other, text: "", by: eva)
        try await notifications.tellAll()
        func unread(_ caller: Caller) async throws -> [MemberNotification] {
            try await fixture.told(caller).filter { $0.readAt == nil }
        }
        let own = try await unread(ana)
        #expect(own.map(\.kind) == [.reported, .reported])
        let items = own.compactMap(\.items.first)
        #expect(Set(items.compactMap(\.reported)) == ["video", "profile"])
        #expect(items.allSatisfy { $0.actor == nil })
        #expect(items.first { $0.reported == "video" }?.video?.id == video.id)
        let other = try #require(try await unread(eva).first)
        #expect(other.kind == .reported && other.items.first?.comment == comment.id)
        for caller in [mod, boss] {
            let told = try await unread(caller)
            #expect(told.map(\.kind) == [.reportWaiting] && told.first?.count == 3)
        }
        let identities: [String] = try await fixture.database.read { db in
            try db.rows("SELECT identity || COALESCE(actorID, '') FROM notificationDeed WHERE kind LIKE 'report%'", [])
            {
                try $0.value(0)
            }
        }
        let reporter = try NotificationsFixture.id(eva).text
        #expect(identities.count == 6 && !identities.contains { $0.contains(reporter) })
    }

    @Test func operatorsAreToldOfAMessageForHelpOnce() async throws {
        let (ana, mod) = (try await member("ana"), try await member("mod", .moderator))
        let boss = try await member("boss", .operator)
        let (id, time) = (OpaqueID(), fixture.clock.time)
        for _ in 0..<2 {
            try await fixture.database.write { [notifications] db in
                try notifications.note(supportMessage: id, at: time, db)
            }
        }
        try await notifications.tellAll()
        #expect(try await fixture.kinds(boss) == [.supportMessage])
        #expect(try await fixture.told(boss).first?.count == 1)
        #expect(try await fixture.kinds(ana).isEmpty)
        #expect(try await fixture.kinds(mod).isEmpty)
    }

    @Test func whatWasToldOfAVideoGoesWithIt() async throws {
        let (ana, eva, leo) = (try await member("ana"), try await member("eva"), try await member("leo"))
        for name in ["x1", "x2", "x3"] { _ = try await member(name) }
        let gone = try await fixture.publish("a", by: ana)
        for fan in [eva, leo] { _ = try await community.setLike(true, of: gone.id, by: fan) }
        _ = try await community.comment("hello", on: gone.id, by: eva, isModerator: false)
        try await community.report(.video, gone.id, .other, text: "", by: eva)
        try await notifications.tellAll()
        let kept = try await fixture.publish("b", by: ana)
        _ = try await community.setFollow(true, "ana", by: eva)
        try await notifications.tellAll()
        #expect(try await fixture.told(leo).map(\.count) == [2])
        try await community.withdraw(gone.id, by: ana, mayManage: false)
        try await notifications.tellAll()
        // The like, the comment and the report are gone; somebody still follows.
        #expect(try await fixture.kinds(ana) == [.follower])
        let news = try await fixture.told(leo)
        #expect(news.map(\.count) == [2] || news.map(\.count) == [1])
        #expect(news.flatMap(\.items).compactMap(\.video?.id) == [kept.id])
        try await community.withdraw(kept.id, by: ana, mayManage: false)
        try await notifications.tellAll()
        for caller in [leo, eva] { #expect(try await fixture.told(caller).isEmpty) }
        #expect(try await fixture.unread(leo) == 0)
        #expect(try await notifications.waitingCount() == 0)
    }

    /// Members must learn that their video was deleted.
    @Test func aDecisionToDeleteAVideoIsToldAfterIt() async throws {
        let (ana, eva) = (try await member("ana"), try await member("eva"))
        let video = try await fixture.publish("a", by: ana)
        try await community.report(.video, video.id, .other, text: "", by: eva)
        try await notifications.tellAll()
        _ = try await community.decide(
            .deleted, note: "", .video, video.id, by: fixture.operatorCaller, mayManage: true)
        try await notifications.tellAll()
        #expect(try await fixture.kinds(ana) == [.decision])
    }
}
