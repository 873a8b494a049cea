import Accounts
import Community
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Notifications

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct MailDigestTests {
    private let fixture: NotificationsFixture
    private var notifications: Notifications { fixture.notifications }

    init() async throws { fixture = try await NotificationsFixture() }

    /// A member who wants mail, and has an address.
    private func reader() async throws -> (caller: Caller, id: UserID) {
        let leo = try await fixture.member("leo")
        let user = try NotificationsFixture.id(leo)
        try await fixture.database.write { db in
            try db.execute(
                "UPDATE account SET email = 'leo@example.org', emailConfirmedAt = 0 WHERE id = ?1", .text(user.text))
        }
        _ = try await notifications.changePreferences(of: user, language: "es") { preferences in
            for group in NotificationGroup.allCases { preferences[group] = [.mail] }
        }
        return (leo, user)
    }

    @Test func aWindowIsOneMailAndIsToldOnce() async throws {
        let ana = try await fixture.member("ana")
        let (leo, user) = try await reader()
        let video = try await fixture.publish("a", by: ana)
        for title in ["b", "c"] { _ = try await fixture.publish(title, by: ana) }
        _ = try await fixture.community.setFollow(true, "leo", by: ana)
        try await notifications.tellAll()
        #expect(try await notifications.takeMail(limit: 10).isEmpty, "the window is not over")
        try await fixture.community.withdraw(video.id, by: ana, mayManage: false)
        fixture.clock.advance(by: notifications.settings.window)
        let digests = try await notifications.takeMail(limit: 10)
        let digest = try #require(digests.first)
        #expect(digests.count == 1 && digest.user == user && digest.email == "leo@example.org")
        #expect(digest.language == "es" && digest.username == "leo")
        #expect(Set(digest.notifications.map(\.kind)) == [.newVideo, .follower] && digest.count == 2)
        #expect(digest.notifications.first { $0.kind == .newVideo }?.items.map(\.video?.name) == ["c", "b"])
        #expect(try await notifications.takeMail(limit: 10).isEmpty)
        #expect(try await fixture.told(leo).isEmpty, "not in the list of somebody who wants mail only")
    }

    @Test func theLanguageOfTheAccountComesFirst() async throws {
        let (ana, leo) = (try await fixture.member("ana"), try await reader())
        try await fixture.database.write { db in
            try db.execute("UPDATE account SET language = 'en' WHERE id = ?1", .text(leo.id.text))
        }
        _ = try await fixture.publish("a", by: ana)
        try await notifications.tellAll()
        fixture.clock.advance(by: notifications.settings.window)
        #expect(try await notifications.takeMail(limit: 10).map(\.language) == ["en"])
    }

    @Test func whatIsReadOrNotWantedAnyMoreIsNotMailed() async throws {
        let ana = try await fixture.member("ana")
        let (_, user) = try await reader()
        _ = try await notifications.changePreferences(of: user) { $0[.aboutMe] = [.site, .mail] }
        _ = try await fixture.publish("a", by: ana)
        _ = try await fixture.community.setFollow(true, "leo", by: ana)
        try await notifications.tellAll()
        try await notifications.markAllRead(of: user)
        _ = try await notifications.changePreferences(of: user) { $0[.newVideos] = [.site] }
        fixture.clock.advance(by: notifications.settings.window)
        #expect(try await notifications.takeMail(limit: 10).isEmpty)
    }

    @Test func aCodeEndsMailOfItsMemberOnly() async throws {
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        let (_, user) = try await reader()
        let other = try NotificationsFixture.id(eva)
        let code = notifications.unsubscribeCode(of: user)
        for wrong in ["", "0", String(code.dropLast()), code + "0", notifications.unsubscribeCode(of: other)] {
            #expect(try await !notifications.endMail(of: user, code: wrong), "\(wrong)")
        }
        _ = try await fixture.publish("a", by: ana)
        try await notifications.tellAll()
        // It stays valid, and works as often as a mail program wants.
        fixture.clock.advance(by: .seconds(1_000 * 86_400))
        for _ in 0..<2 { #expect(try await notifications.endMail(of: user, code: code)) }
        let preferences = try await notifications.preferences(of: user)
        #expect(NotificationGroup.allCases.allSatisfy { !preferences[$0].contains(.mail) })
        #expect(try await notifications.takeMail(limit: 10).isEmpty)
    }
}
