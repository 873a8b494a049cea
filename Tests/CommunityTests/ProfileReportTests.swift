import Accounts
import Database
import DatabaseTestSupport
import GatewayTestSupport
import MediaCore
import Testing

@testable import Community

/// Reports of profiles, and what moderators know of and do about members.
@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct ProfileReportTests {
    private let fixture: CommunityFixture
    private let ana: Caller
    private let eva: Caller
    private let leo: Caller
    private let moderator: Caller
    private let profile: OpaqueID
    private var community: Community { fixture.community }

    init() async throws {
        fixture = try await CommunityFixture(CommunitySettings(reportThreshold: 2))
        for id in ["a", "b"] { try await fixture.add(id) }
        ana = try await fixture.member("ana")
        eva = try await fixture.member("eva")
        leo = try await fixture.member("leo")
        moderator = try await fixture.member("mod", role: .moderator)
        profile = try #require(OpaqueID(parsing: try CommunityFixture.id(ana).text))
    }

    @Test func aProfileWithManyReportsIsHiddenAndItsNameWithIt() async throws {
        let video = try await community.publish(VideoContents(name: "a"), title: "a", by: ana)
        let comment = try await community.comment("hello", on: video.id, by: ana, isModerator: false)
        _ = try await community.setFollow(true, "eva", by: ana)
        _ = try await community.setLike(true, of: video.id, by: ana)
        _ = try await community.changeProfile(by: ana) { $0.about = "rude words" }
        #expect(
            await CommunityFixture.code { try await community.report(.profile, profile, .hate, text: "", by: ana) }
                == .conflict)
        for member in [eva, leo] {
            #expect(try await community.profile(of: "ana", for: member).about == "rude words")
            try await community.report(.profile, profile, .hate, text: "", by: member)
        }
        #expect(await CommunityFixture.code { try await community.profile(of: "ana", for: eva) } == .notFound)
        #expect(try await community.profile(of: "ana", for: ana).state == .hidden)
        #expect(try await community.profile(of: "ana", for: moderator, maySeeHidden: true).about == "rude words")
        let shown = try await community.video(video.id, for: eva, maySeeHidden: false)
        #expect(shown.ownerName == nil && shown.owner != nil)
        #expect(try await community.videos(VideoQuery()).items.map(\.ownerName) == [nil])
        let comments = try await community.comments(on: video.id, for: eva, isModerator: false).page.items
        #expect(comments.map(\.id) == [comment.id] && comments.map(\.authorName) == [nil])
        #expect(try await community.members(.followers, of: "eva", for: eva).items.isEmpty)
        #expect(try await community.likers(of: video.id, for: eva, maySeeHidden: false).items.isEmpty)
        #expect(try await community.findMembers("an", for: eva).items.isEmpty)
        #expect(try await community.activities(.news, of: eva, visible: nil).items.isEmpty)
        let item = try #require(try await community.moderationQueue().items.first)
        #expect(item.kind == .profile && item.ownerName == "ana" && item.text == "rude words" && item.isHidden)
        _ = try await community.decide(.restored, note: "fine", .profile, profile, by: moderator, mayManage: true)
        #expect(try await community.profile(of: "ana", for: eva).about == "rude words")
        #expect(try await community.videos(VideoQuery()).items.map(\.ownerName) == ["ana"])
        #expect(try await community.counterDifferences() == [])
    }

    @Test func aHiddenProfileCanBeAppealedOnceAndNotDeleted() async throws {
        for member in [eva, leo] { try await community.report(.profile, profile, .hate, text: "", by: member) }
        #expect(
            await CommunityFixture.code {
                try await community.decide(.deleted, note: "", .profile, profile, by: moderator, mayManage: true)
            } == .conflict)
        _ = try await community.decide(.hidden, note: "no", .profile, profile, by: moderator, mayManage: true)
        try await community.appeal(.profile, profile, "It was a quotation.", by: ana)
        #expect(
            await CommunityFixture.code { try await community.appeal(.profile, profile, "!", by: ana) } == .conflict)
        #expect(try await community.moderationQueue().items.map(\.appeal) == ["It was a quotation."])
    }

    @Test func moderatorsSeeTheHistoryOfTheAuthor() async throws {
        let video = try await community.publish(VideoContents(name: "a"), title: "a", by: ana)
        try await community.report(.video, video.id, .spam, text: "", by: eva)
        try await community.warn(.video, video.id, "Please do not advertise.", by: moderator)
        #expect(
            await CommunityFixture.code { try await community.warn(.video, video.id, " ", by: moderator) }
                == .emptyField)
        _ = try await community.decide(.deleted, note: "again", .video, video.id, by: moderator, mayManage: true)
        try await community.report(.profile, profile, .spam, text: "", by: eva)
        let history = try await community.history(of: .profile, profile)
        #expect(history.map(\.event) == [.deleted, .warned] && history.map(\.moderator) == ["mod", "mod"])
        #expect(history.map(\.text) == ["again", "Please do not advertise."])
        let items = try await community.moderationQueue().items
        #expect(try await community.histories(of: items)[profile] == history)
        #expect(try await community.ownRecords(of: ana).items.map(\.text) == history.map(\.text), "she is told")
        #expect(try await community.ownRecords(of: eva).items.isEmpty)
        let entries = try await fixture.accounts.auditEntries(after: 0, limit: 100)
        #expect(entries.contains { $0.event == "community.warned" && $0.after?.contains("advertise") == true })
    }

    @Test func whatBelongsToTheStationHasNobodyToWarn() async throws {
        let video = try await community.publish(VideoContents(name: "b"), title: "b", by: fixture.operatorCaller)
        try await community.report(.video, video.id, .spam, text: "", by: eva)
        #expect(
            await CommunityFixture.code { try await community.warn(.video, video.id, "x", by: moderator) } == .conflict)
        #expect(try await community.history(of: .video, video.id).isEmpty)
        #expect(
            await CommunityFixture.code { try await community.warn(.profile, profile, "x", by: moderator) }
                == .notFound,
            "nobody has reported her")
    }

    /// That only moderators do so is for endpoints and pages to ask.
    @Test func moderatorsSuspendMembersAndNobodyElse() async throws {
        let member = try CommunityFixture.id(ana)
        #expect(try await fixture.accounts.suspendMember(member, by: moderator).state == .suspended)
        #expect(try await community.findMembers("ana", for: eva).items.isEmpty)
        let other = try CommunityFixture.id(moderator)
        await #expect(throws: Refusal.self) { try await fixture.accounts.suspendMember(other, by: moderator) }
    }
}
