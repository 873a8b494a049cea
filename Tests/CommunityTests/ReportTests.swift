import Accounts
import Catalogue
import Database
import DatabaseTestSupport
import GatewayTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Community

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct ReportTests {
    private let fixture: CommunityFixture
    private let (ana, moderator): (Caller, Caller)
    private let reporters: [Caller]
    private let video: Video
    private var community: Community { fixture.community }

    init() async throws {
        fixture = try await CommunityFixture(CommunitySettings(reportThreshold: 3))
        try await fixture.add("a")
        ana = try await fixture.member("ana")
        moderator = try await fixture.member("mod", role: .moderator)
        var reporters: [Caller] = []
        for number in 1...5 { reporters.append(try await fixture.member("reporter\(number)")) }
        self.reporters = reporters
        video = try await fixture.community.publish(
            VideoContents(name: "a", visibility: .unlisted), title: "a", by: ana)
    }

    private func report(_ range: Range<Int>, _ kind: ReportedKind = .video, _ id: OpaqueID? = nil) async throws {
        for reporter in reporters[range] {
            try await community.report(kind, id ?? video.id, .spam, text: "why", by: reporter)
        }
    }

    private func isSeen(by caller: Caller, maySeeHidden: Bool = false) async -> Bool {
        (try? await community.video(video.id, for: caller, maySeeHidden: maySeeHidden)) != nil
    }

    private func hold(_ title: String = "a") async throws -> HoldReason? {
        try await fixture.database.read { db in try AudienceRows.hold(in: .titles, of: title, db) }
    }

    @Test func theThresholdHidesAndARestoreBringsItBackAsItWas() async throws {
        try await report(0..<2)
        #expect(await isSeen(by: reporters[4]))
        #expect(try await hold() == .unlisted)
        try await report(2..<3)
        #expect(await !isSeen(by: reporters[4]))
        #expect(await isSeen(by: ana))
        #expect(await isSeen(by: moderator, maySeeHidden: true))
        let queue = try await community.moderationQueue()
        #expect(queue.items.map(\.reports) == [3] && queue.items.first?.isHidden == true)
        #expect(queue.items.first?.ownerName == "ana" && queue.items.first?.text == "a")
        let item = try await community.moderatedItem(.video, video.id)
        #expect(item.reports.map(\.text) == ["why", "why", "why"])
        #expect(
            try await community.decide(.restored, note: "fine", .video, video.id, by: moderator, mayManage: true) == nil
        )
        #expect(await isSeen(by: reporters[4]))
        #expect(try await hold() == .unlisted)
        #expect(try await community.moderationQueue().items.isEmpty)
        #expect(try await community.counterDifferences() == [])
    }

    /// Reports and moderators decide about the video, and about the file of a member. A film of the station that a
    /// video plays is watched as before.
    @Test(arguments: [VideoVisibility.public, .unlisted]) func aFilmOfTheStationIsWatchedWhateverBecomesOfItsVideo(
        _ visibility: VideoVisibility
    ) async throws {
        let usual: HoldReason? = visibility == .unlisted ? .unlisted : nil
        _ = try await community.change(video.id, from: nil, by: ana, mayManage: false) { $0.visibility = visibility }
        let upload = try await fixture.upload(by: ana)
        let own = try await community.publish(
            VideoContents(name: "own", visibility: visibility), title: upload, by: ana)
        func expect(_ isHidden: Bool, _ what: Comment) async throws {
            #expect(try await hold() == usual, what)
            #expect(try await hold(upload) == (isHidden ? .hidden : usual), what)
            for id in [video.id, own.id] {
                let seen = try? await community.video(id, for: reporters[4], maySeeHidden: false)
                #expect((seen == nil) == isHidden, what)
            }
        }
        func decide(_ decision: ModerationDecision) async throws {
            for id in [video.id, own.id] {
                _ = try await community.decide(decision, note: "", .video, id, by: moderator, mayManage: false)
            }
        }
        for id in [video.id, own.id] { try await report(0..<3, .video, id) }
        try await expect(true, "reports")
        try await decide(.restored)
        try await expect(false, "restored")
        try await decide(.hidden)
        try await expect(true, "a moderator")
        for id in [video.id, own.id] {
            _ = try await community.change(id, from: nil, by: ana, mayManage: false) { $0.text = "new" }
        }
        try await expect(true, "changed by its owner")
        _ = try await fixture.accounts.suspend(try CommunityFixture.id(ana), by: fixture.operatorCaller)
        try await expect(true, "its owner is suspended")
        fixture.accounts.beforeRemoval { [community] user, db in try community.forget(user, db) }
        _ = try await fixture.accounts.removeAccount(try CommunityFixture.id(ana), by: fixture.operatorCaller)
        #expect(try await hold() == usual, "its owner has left")
        #expect(try await hold(upload) == .hidden, "its owner has left")
    }

    /// A film that an earlier version kept from everybody.
    @Test func aFilmThatWasKeptIsReleasedByTheMigration() async throws {
        try await report(0..<3)
        let upload = try await fixture.upload(by: ana)
        let own = try await community.publish(VideoContents(name: "own"), title: upload, by: ana)
        _ = try await report(0..<3, .video, own.id)
        try await fixture.database.write { db in
            try AudienceRows.hold(.hidden, in: .titles, of: "a", db)
            try ModerationMigrations.releaseMigration.apply(db)
        }
        #expect(try await hold() == .unlisted)
        #expect(try await hold(upload) == .hidden)
    }

    @Test func aDecisionIsFinalAgainstTheSameReports() async throws {
        try await report(0..<3)
        _ = try await community.decide(.restored, note: "", .video, video.id, by: moderator, mayManage: true)
        #expect(await CommunityFixture.code { try await report(0..<1) } == .conflict)
        #expect(
            await CommunityFixture.code {
                try await community.withdrawReport(.video, video.id, by: reporters[0])
            } == .notFound)
        try await report(3..<5)
        #expect(await isSeen(by: reporters[0]), "two new ones are not three")
        #expect(try await community.moderationQueue().items.map(\.reports) == [2])
    }

    @Test func aReportIsMadeOnceAndMayBeWithdrawn() async throws {
        try await report(0..<2)
        #expect(await CommunityFixture.code { try await report(0..<1) } == .conflict)
        try await community.withdrawReport(.video, video.id, by: reporters[0])
        try await report(2..<3)
        #expect(await isSeen(by: reporters[4]), "two are left")
        #expect(
            await CommunityFixture.code {
                try await community.report(.video, video.id, .spam, text: "", by: ana)
            } == .conflict)
        try await report(0..<1)
        #expect(await !isSeen(by: reporters[4]))
        #expect(await CommunityFixture.code { try await report(3..<4) } == .notFound, "nobody sees it any more")
    }

    @Test func aModeratorDealsWithAnItemAlone() async throws {
        let other = try await fixture.member("other", role: .moderator)
        try await report(0..<1)
        #expect(try await community.claim(.video, video.id, by: moderator).claimedBy == "mod")
        #expect(await CommunityFixture.code { try await community.claim(.video, video.id, by: other) } == .conflict)
        let refused = await CommunityFixture.code {
            try await community.decide(.hidden, note: "", .video, video.id, by: other, mayManage: true)
        }
        #expect(refused == .conflict)
        fixture.clock.advance(by: ModeratedItem.claimTime)
        #expect(try await community.claim(.video, video.id, by: other).claimedBy == "other")
    }

    @Test func theOwnerAppealsOnce() async throws {
        #expect(
            await CommunityFixture.code { try await community.appeal(.video, video.id, "no", by: ana) } == .conflict)
        try await report(0..<1)
        _ = try await community.decide(.hidden, note: "adverts", .video, video.id, by: moderator, mayManage: true)
        #expect(try await community.moderationQueue().items.isEmpty)
        try await community.appeal(.video, video.id, "It is our own film.", by: ana)
        #expect(
            await CommunityFixture.code { try await community.appeal(.video, video.id, "no", by: ana) } == .conflict)
        let item = try #require(try await community.moderationQueue().items.first)
        #expect(item.appeal == "It is our own film." && item.decisionNote == "adverts" && item.decision == .hidden)
        _ = try await community.decide(.restored, note: "", .video, video.id, by: moderator, mayManage: true)
        #expect(await isSeen(by: reporters[0]))
        #expect(try await community.moderationQueue().items.isEmpty)
    }

    @Test func whatIsDeletedForGoodStaysHiddenUntilItsFilesGo() async throws {
        try await report(0..<1)
        #expect(try await community.decide(.deleted, note: "", .video, video.id, by: moderator, mayManage: true) == "a")
        #expect(try await hold() == .hidden)
        #expect(
            await CommunityFixture.code {
                try await community.publish(VideoContents(name: "again"), title: "a", by: ana)
            } == .conflict)
        try await fixture.catalogue.deleteTitle(id: "a")
        #expect(try await hold() == nil)
    }

    /// The right to decide about a video is not the right to delete the station's film.
    @Test func aModeratorTakesAFilmOfTheStationOffTheCommunityOnly() async throws {
        try await report(0..<1)
        let title = try await community.decide(.deleted, note: "", .video, video.id, by: moderator, mayManage: false)
        #expect(title == nil)
        #expect(try await hold() == .unlisted, "what was not listed is not listed now")
        #expect(try await community.moderationQueue().items.isEmpty)
        #expect(
            await CommunityFixture.code { try await community.video(video.id, for: ana, maySeeHidden: true) }
                == .notFound)
        // It can be published again.
        let again = try await community.publish(
            VideoContents(name: "again"), title: "a", by: ana)
        try await community.report(.video, again.id, .other, text: "", by: reporters[0])
        _ = try await community.decide(.deleted, note: "", .video, again.id, by: moderator, mayManage: false)
        #expect(try await hold() == nil, "the film is watched as before")
    }

    @Test func aReportOutlivesTheAccountOfItsAuthor() async throws {
        fixture.accounts.beforeRemoval { [community] user, db in try community.forget(user, db) }
        try await report(0..<2)
        let leaver = try #require(reporters[0].principal.member)
        try await fixture.accounts.deleteAccount(password: TestAccounts.password, by: reporters[0])
        let item = try #require(try await community.moderationQueue().items.first)
        #expect(item.reports == 2)
        let reports = try #require(try await community.reports(of: [item])[video.id])
        #expect(reports.count == 2)
        let rest = try await fixture.database.read { db in
            try db.rows("SELECT reporterID FROM itemReport ORDER BY number", []) { try $0.optional(0) as String? }
        }
        #expect(rest.first == .some(nil) && !rest.contains(leaver.id.text) && rest.count == 2)
        #expect(try await community.counterDifferences().isEmpty)
        // The rest of its author has nothing to do with the decision.
        _ = try await community.decide(.hidden, note: "", .video, video.id, by: moderator, mayManage: false)
        #expect(try await community.moderationQueue().items.isEmpty)
    }

    @Test func aHiddenVideoStaysHiddenWhateverItsOwnerDoes() async throws {
        try await fixture.add("b")
        try await report(0..<3)
        _ = try await community.change(video.id, title: "b", from: nil, by: ana, mayManage: false) {
            $0.visibility = .public
        }
        #expect(try await community.videos(VideoQuery()).items.isEmpty)
        #expect(await !isSeen(by: reporters[4]))
        #expect(try await hold() == nil, "both films are the station's")
        #expect(try await hold("b") == nil, "both films are the station's")
        try await community.withdraw(video.id, by: ana, mayManage: false)
        #expect(try await hold("b") == nil)
        // What a member has sent goes with its video, and is not published again until then.
        let upload = try await fixture.upload(by: ana)
        let own = try await community.publish(VideoContents(name: "own"), title: upload, by: ana)
        try await report(0..<3, .video, own.id)
        try await community.withdraw(own.id, by: ana, mayManage: false)
        #expect(try await hold(upload) == .hidden)
        #expect(
            await CommunityFixture.code {
                try await community.publish(VideoContents(name: "again"), title: upload, by: ana)
            } == .conflict)
    }

    @Test func aCommentIsHiddenToo() async throws {
        let comment = try await community.comment("rude", on: video.id, by: ana, isModerator: false)
        try await report(0..<3, .comment, comment.id)
        let seen = try await community.comments(on: video.id, for: reporters[0], isModerator: false)
        #expect(seen.page.items.isEmpty)
        #expect(try await community.video(video.id, for: ana, maySeeHidden: false).counts.comments == 0)
        _ = try await community.decide(.restored, note: "", .comment, comment.id, by: moderator, mayManage: true)
        #expect(try await community.video(video.id, for: ana, maySeeHidden: false).counts.comments == 1)
        _ = try await community.decide(.deleted, note: "", .comment, comment.id, by: moderator, mayManage: true)
        #expect(try await community.counterDifferences() == [])
    }

    @Test func everyDecisionIsInTheAuditLog() async throws {
        try await report(0..<1)
        _ = try await community.decide(.hidden, note: "", .video, video.id, by: moderator, mayManage: true)
        let entries = try await fixture.accounts.auditEntries(after: 0, limit: 100)
        #expect(entries.contains { $0.event == "community.moderated" && $0.after == "video \(video.id): hidden" })
    }

    @Test func aMemberReportsOnlySoMuch() async throws {
        for number in 0..<Community.maximumReportCount {
            let comment = try await community.comment(
                "\(number)", on: video.id, by: moderator, isModerator: true)
            try await community.report(.comment, comment.id, .other, text: "", by: reporters[0])
        }
        let refusal = await Refusal.of { try await report(0..<1) }
        #expect(refusal?.code == .tooManyAttempts && refusal?.retryAfter == .seconds(3_600))
    }
}
