import Accounts
import Catalogue
import Community
import Database
import DatabaseTestSupport
import GatewayTestSupport
import MediaAccess
import MediaCore
import TestSupport
import Testing

@testable import Notifications

/// Two servers share a database. The one that tells members has a copy of the audiences that is older than the deed,
/// because nothing refreshes it.
@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct StaleCopyTests {
    private let fixture: NotificationsFixture
    /// The copy of the server that tells members.
    private let copy: TitleAudiences

    init() async throws {
        fixture = try await NotificationsFixture(batchSize: 2)
        copy = TitleAudiences(fixture.database, accounts: fixture.accounts)
    }

    private func add(_ title: String, hold: HoldReason?) async throws {
        _ = try await fixture.catalogue.add(InMemoryContent.title(title))
        try await fixture.database.write { db in try AudienceRows.hold(hold, in: .titles, of: title, db) }
        try await copy.refresh()
    }

    /// As a file that a member sends is kept from others until it is published.
    @Test func everybodyIsToldOfAVideoWhoseTitleWasHeldUntilItWasPublished() async throws {
        let (ana, leo) = (try await fixture.member("ana"), try await fixture.member("leo"))
        try await add("a", hold: .unlisted)
        _ = try await fixture.community.publish(VideoContents(name: "a"), title: "a", by: ana)
        #expect(!fixture.accounts.audiences.items.isEmpty, "the copy is older than the deed")
        try await fixture.notifications.tellAll()
        #expect(try await fixture.kinds(leo) == [.newVideo])
        #expect(try await fixture.notifications.waitingCount() == 0)
    }

    @Test func everybodyIsToldOfAVideoThatBecomesPublicFromUnlisted() async throws {
        let (ana, leo) = (try await fixture.member("ana"), try await fixture.member("leo"))
        var contents = VideoContents(name: "a")
        contents.visibility = .unlisted
        _ = try await fixture.catalogue.add(InMemoryContent.title("a"))
        let video = try await fixture.community.publish(contents, title: "a", by: ana)
        try await copy.refresh()
        try await fixture.notifications.tellAll()
        #expect(try await fixture.told(leo).isEmpty)
        _ = try await fixture.community.change(
            video.id, from: nil, by: ana, mayManage: false
        ) { $0.visibility = .public }
        try await fixture.notifications.tellAll()
        #expect(try await fixture.kinds(leo) == [.newVideo])
    }

    @Test func nobodyIsToldOfAVideoThatWasKeptFromThemMeanwhile() async throws {
        let (ana, leo) = (try await fixture.member("ana"), try await fixture.member("leo"))
        try await add("a", hold: nil)
        let video = try await fixture.community.publish(VideoContents(name: "a"), title: "a", by: ana)
        _ = try await fixture.community.setFollow(true, "ana", by: leo)
        _ = try await fixture.community.setLike(true, of: video.id, by: ana)
        // Another server does this.
        try await fixture.database.write { db in try AudienceRows.set(.invited, in: .titles, of: "a", db) }
        try await fixture.notifications.tellAll()
        #expect(try await fixture.told(leo).isEmpty)
    }

    /// The followers of a member are notified of the member's likes.
    @Test func followersAreToldOfALikeByTheAudienceOfTheTitleAsItIs() async throws {
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        let leo = try await fixture.member("leo")
        _ = try await fixture.community.setFollow(true, "eva", by: leo)
        try await add("a", hold: .unlisted)
        let video = try await fixture.community.publish(VideoContents(name: "a"), title: "a", by: ana)
        try await fixture.notifications.tellAll()
        _ = try await fixture.community.setLike(true, of: video.id, by: eva)
        try await fixture.notifications.tellAll()
        #expect(try await fixture.kinds(leo).contains(.followedLike))
    }
}
