import Accounts
import Community
import DatabaseTestSupport
import Forum
import MediaCore
import TestSupport
import Testing

@testable import Notifications

/// Who is told of topics and comments of the forum.
@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct ForumNotificationTests {
    private let fixture: NotificationsFixture
    private let category: ForumCategory
    private let (ana, eva, leo, max): (Caller, Caller, Caller, Caller)
    private var forum: Forum { fixture.forum }

    init() async throws {
        fixture = try await NotificationsFixture(batchSize: 3)
        let notifications = fixture.notifications
        fixture.forum.observe { deed, time, db in try notifications.note(deed, at: time, db) }
        var change = ForumCategoryChange()
        change.name = "General"
        category = try await fixture.forum.createCategory(change)
        var members: [Caller] = []
        for name in ["ana", "eva", "leo", "max"] {
            let member = try await fixture.member(name)
            try await fixture.forum.acceptRules(by: member)
            members.append(member)
        }
        (ana, eva, leo, max) = (members[0], members[1], members[2], members[3])
    }

    private func begin(_ title: String, by caller: Caller, notifies: Bool = true) async throws -> ForumTopic {
        try await forum.begin(
            title, text: "first", in: category.id, notifies: notifies, by: caller, isModerator: false)
    }

    private func comment(_ topic: ForumTopic, by caller: Caller, notifies: Bool = true) async throws -> ForumComment {
        try await forum.comment("comment", in: topic.id, notifies: notifies, by: caller, isModerator: false)
    }

    private func told(_ caller: Caller) async throws -> [MemberNotification] {
        try await fixture.notifications.tellAll()
        return try await fixture.told(caller)
    }

    private func kinds(_ caller: Caller) async throws -> [NotificationKind] { try await told(caller).map(\.kind) }

    @Test func aNewTopicNotifiesEverybodyButItsAuthorAndThoseWhoSwitchedItOff() async throws {
        _ = try await fixture.notifications.changePreferences(of: try NotificationsFixture.id(leo)) {
            $0[.newTopics] = []
        }
        try await forum.setFollow(false, .category(category.id), by: max, isModerator: false)
        _ = try await begin("Hello you", by: ana)
        #expect(try await kinds(ana) == [])
        #expect(try await kinds(eva) == [.newTopic])
        #expect(try await kinds(leo) == [])
        #expect(try await kinds(max) == [])
        #expect(try await told(eva).first?.items.first?.topic?.title == "Hello you")
    }

    @Test func theAuthorDecidesWhetherATopicOrCommentNotifies() async throws {
        let topic = try await begin("Hello you", by: ana, notifies: false)
        _ = try await comment(topic, by: eva, notifies: false)
        #expect(try await kinds(ana) == [])
        #expect(try await kinds(eva) == [])
        #expect(try await kinds(leo) == [])
        _ = try await comment(topic, by: eva)
        #expect(try await kinds(ana) == [.topicReply])
    }

    @Test func aCommentNotifiesThoseWhoTalkThereAndFollowersAndNobodyElse() async throws {
        let topic = try await begin("Hello you", by: ana, notifies: false)
        _ = try await comment(topic, by: eva, notifies: false)
        try await forum.setFollow(true, .category(category.id), by: leo, isModerator: false)
        let comment = try await comment(topic, by: eva)
        #expect(try await kinds(ana) == [.topicReply])
        #expect(try await kinds(eva) == [])
        #expect(try await kinds(leo) == [.followedTopic])
        #expect(try await kinds(max) == [])
        let item = try await told(ana).first?.items.first
        #expect(item?.actor == "eva" && item?.topic?.comment == comment.id)
        try await forum.deleteComment(comment.id, by: eva, isModerator: false)
        #expect(try await told(ana).first?.items.isEmpty == true)
    }

    @Test func theNearestChoiceCounts() async throws {
        let topic = try await begin("Hello you", by: ana, notifies: false)
        try await forum.setFollow(true, .all, by: leo, isModerator: false)
        try await forum.setFollow(false, .category(category.id), by: leo, isModerator: false)
        try await forum.setFollow(true, .all, by: max, isModerator: false)
        try await forum.setFollow(false, .topic(topic.id), by: ana, isModerator: false)
        _ = try await comment(topic, by: eva)
        #expect(try await kinds(ana) == [])
        #expect(try await kinds(leo) == [])
        #expect(try await kinds(max) == [.followedTopic])
        try await forum.setFollow(true, .topic(topic.id), by: leo, isModerator: false)
        _ = try await comment(topic, by: eva)
        #expect(try await kinds(leo) == [.followedTopic])
    }

    @Test func mutedMembersNotifyNobodyWhoMutesThem() async throws {
        let topic = try await begin("Hello you", by: ana, notifies: false)
        _ = try await fixture.community.setBarrier(.mute, true, "eva", by: ana)
        _ = try await comment(topic, by: eva)
        #expect(try await kinds(ana) == [])
    }

    /// More followers than fit into a batch are all told, each once.
    @Test func batchesReachEveryFollowerOnce() async throws {
        var followers: [Caller] = []
        for number in 0..<8 {
            let member = try await fixture.member("follower\(number)")
            try await forum.setFollow(true, .category(category.id), by: member, isModerator: false)
            followers.append(member)
        }
        let topic = try await begin("Hello you", by: ana, notifies: false)
        _ = try await comment(topic, by: eva)
        for follower in followers { #expect(try await told(follower).map(\.count) == [1]) }
    }

    @Test func aTopicThatIsHiddenMeanwhileNotifiesNobody() async throws {
        let topic = try await begin("Hello you", by: ana)
        try await forum.deleteTopic(topic.id, by: ana, isModerator: false)
        #expect(try await kinds(eva) == [])
    }
}
