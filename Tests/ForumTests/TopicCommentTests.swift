import Accounts
import Community
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Forum

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct TopicCommentTests {
    private let fixture: ForumFixture
    private let (ana, eva): (Caller, Caller)
    private let topic: ForumTopic
    private var forum: Forum { fixture.forum }

    init() async throws {
        fixture = try await ForumFixture()
        ana = try await fixture.member("ana")
        eva = try await fixture.member("eva")
        topic = try await fixture.topic("Hello you", "first", in: try await fixture.category(), by: ana)
    }

    private func texts(after place: Int64 = 0, for caller: Caller, isModerator: Bool = false) async throws -> [String] {
        try await forum.comments(of: topic.id, after: place, for: caller, isModerator: isModerator).page.items
            .map(\.text)
    }

    @Test func aPageIsARangeOfPlaces() async throws {
        for number in 2...45 {
            _ = try await fixture.comment("comment \(number)", in: topic, by: ana, isModerator: true)
        }
        let second = try await forum.comments(of: topic.id, after: 20, for: eva, isModerator: false)
        #expect(second.topic.places == 45 && second.topic.comments == 45)
        #expect(second.page.items.map(\.place) == Array(21...40))
        let third = try await forum.comments(of: topic.id, cursor: second.page.next, for: eva, isModerator: false)
        #expect(third.page.items.map(\.place) == Array(41...45) && third.page.next == nil)
        try await forum.deleteComment(second.page.items[3].id, by: eva, isModerator: true)
        let again = try await forum.comments(of: topic.id, after: 20, for: eva, isModerator: false)
        #expect(again.page.items.map(\.place) == Array(21...40) && again.page.items[3].text.isEmpty)
        #expect(again.topic.comments == 44 && again.page.items[3].author == nil)
    }

    @Test func anAuthorEditsAndDeletesTheirOwn() async throws {
        let comment = try await fixture.comment("one", in: topic, by: eva)
        #expect(comment.editedAt == nil)
        fixture.clock.advance(by: .seconds(3))
        let edited = try await forum.edit(comment.id, "two", by: eva, isModerator: false)
        #expect(edited.text == "two" && edited.editedAt != nil)
        #expect(
            await ForumFixture.code { try await forum.edit(comment.id, "x", by: ana, isModerator: true) } == .forbidden)
        #expect(
            await ForumFixture.code { try await forum.deleteComment(comment.id, by: ana, isModerator: false) }
                == .forbidden)
        try await forum.deleteComment(comment.id, by: eva, isModerator: false)
        #expect(try await texts(for: eva) == ["first", ""])
        #expect(
            await ForumFixture.code { try await forum.edit(comment.id, "x", by: eva, isModerator: false) } == .notFound)
        let first = try #require(
            try await forum.comments(of: topic.id, for: ana, isModerator: false).page.items.first)
        #expect(
            await ForumFixture.code { try await forum.deleteComment(first.id, by: ana, isModerator: true) } == .conflict
        )
    }

    @Test func aCommentHasUpToOneMegabyteAndListsItsBeginning() async throws {
        let long = String(repeating: "word ñ\n", count: 120_000)
        let comment = try await fixture.comment(long, in: topic, by: eva)
        let whole = try await forum.comment(comment.id, for: ana, isModerator: false).comment
        #expect(whole.text == String(long.dropLast()) && !whole.isCut)
        let listed = try await forum.comments(of: topic.id, for: ana, isModerator: false).page.items[1]
        #expect(listed.isCut && listed.text == String(long.prefix(ForumComment.listedCharacterCount)))
        #expect(listed.length == 840_000 - 1)
        let longer = String(repeating: "é", count: ForumComment.maximumByteCount / 2) + "e"
        #expect(await ForumFixture.code { try await fixture.comment(longer, in: topic, by: eva) } == .invalidField)
        #expect(await ForumFixture.code { try await fixture.comment(" \n", in: topic, by: eva) } == .emptyField)
        #expect(try await fixture.comment("a\u{1B}[31mb\nc\u{0}", in: topic, by: eva).text == "a [31mb\nc")
    }

    @Test func aMemberWritesOnlySoMany() async throws {
        for number in 0..<Forum.maximumCommentCount {
            _ = try await fixture.comment("comment \(number)", in: topic, by: eva)
        }
        let refusal = await Refusal.of { try await fixture.comment("more", in: topic, by: eva) }
        #expect(refusal?.code == .tooManyAttempts && refusal?.retryAfter == Forum.commentWindow)
        fixture.clock.advance(by: Forum.commentWindow)
        _ = try await fixture.comment("later", in: topic, by: eva)
    }

    @Test func wordsThatAreNotAllowedAreRefused() async throws {
        fixture.community.settings.heldWords = HeldWords(["spam"])
        #expect(
            await ForumFixture.code { try await fixture.comment("Buy SPÄM now", in: topic, by: eva) } == .invalidField)
    }

    @Test func quotesAreNoted() async throws {
        _ = try await fixture.comment("second", in: topic, by: eva)
        let comment = try await fixture.comment("> #2 @eva\n> second\n\n> #1\n> first\n\nyes", in: topic, by: ana)
        let quoted = try await fixture.database.read { db in
            try db.rows(
                """
                SELECT place FROM forumQuote JOIN forumComment ON number = quoted
                WHERE comment = (SELECT number FROM forumComment WHERE id = ?1) ORDER BY place
                """, [.text(comment.id.text)]
            ) { row in try row.value(0) as Int64 }
        }
        #expect(quoted == [1, 2])
    }

    @Test func mutedAuthorsAreMarkedForWhoMutesThem() async throws {
        _ = try await fixture.comment("noise", in: topic, by: eva)
        _ = try await fixture.community.setBarrier(.mute, true, "eva", by: ana)
        let items = try await forum.comments(of: topic.id, for: ana, isModerator: false).page.items
        #expect(items.map(\.isMuted) == [false, true])
        #expect(
            try await forum.comments(of: topic.id, for: eva, isModerator: false).page.items.allSatisfy { !$0.isMuted })
    }

    // MARK: Reports

    @Test func reportsGoToTheQueueOfTheCommunity() async throws {
        let moderator = try await fixture.member("mod", role: .moderator)
        let comment = try await fixture.comment("rude", in: topic, by: eva)
        try await fixture.community.report(.topicComment, comment.id, .harassment, text: "rude", by: ana)
        let item = try #require(try await fixture.community.moderationQueue().items.first)
        #expect(item.kind == .topicComment && item.text == "rude" && item.ownerName == "eva" && !item.isHidden)
        _ = try await fixture.community.decide(
            .hidden, note: "be kind", .topicComment, comment.id, by: moderator, mayManage: false)
        #expect(try await texts(for: ana) == ["first", ""])
        #expect(try await texts(for: eva) == ["first", "rude"], "one sees one's own")
        #expect(try await texts(for: moderator, isModerator: true) == ["first", "rude"])
        #expect(try await forum.search("rude", for: eva).items.isEmpty)
        try await fixture.community.appeal(.topicComment, comment.id, "it was a joke", by: eva)
        #expect(try await fixture.community.moderationQueue().items.first?.isHidden == true)
        _ = try await fixture.community.decide(
            .restored, note: "", .topicComment, comment.id, by: moderator, mayManage: false)
        #expect(try await texts(for: ana) == ["first", "rude"])
        _ = try await fixture.community.decide(
            .deleted, note: "", .topicComment, comment.id, by: moderator, mayManage: false)
        #expect(try await texts(for: eva) == ["first", ""])
    }

    @Test func enoughReportsHideATopicWithItsFirstComment() async throws {
        let first = try #require(try await forum.comments(of: topic.id, for: ana, isModerator: false).page.items.first)
        for number in 0..<fixture.community.settings.reportThreshold {
            let member = try await fixture.member("reporter\(number)")
            try await fixture.community.report(.topicComment, first.id, .spam, text: "", by: member)
        }
        #expect(try await forum.topics().items.isEmpty)
        #expect(await ForumFixture.code { try await forum.topic(topic.id, for: eva, isModerator: false) } == .notFound)
        #expect(try await forum.topic(topic.id, for: ana, isModerator: false).state == .hidden)
        let moderator = try await fixture.member("mod", role: .moderator)
        #expect(try await fixture.community.moderationQueue().items.first?.text == "Hello you\nfirst")
        _ = try await fixture.community.decide(
            .restored, note: "", .topicComment, first.id, by: moderator, mayManage: false)
        #expect(try await forum.topics().items.map(\.id) == [topic.id])
        _ = try await fixture.community.decide(
            .deleted, note: "", .topicComment, first.id, by: moderator, mayManage: false)
        #expect(try await forum.topics().items.isEmpty)
    }

    // MARK: Members who leave

    @Test(arguments: [true, false])
    func whatAMemberHasWrittenStaysWithoutTheirNameOrGoes(commentsStay: Bool) async throws {
        fixture.community.settings.commentsStay = commentsStay
        let category = topic.category
        let own = try await fixture.topic("Of Eva alone", in: category, by: eva)
        _ = try await fixture.comment("of eva", in: topic, by: eva)
        let user = try ForumFixture.id(eva)
        #expect(try await forum.written(by: user).topics.map(\.id) == [own.id])
        #expect(try await forum.written(by: user).comments.count == 2)
        try await fixture.database.write { db in try fixture.forum.forget(user, db) }
        #expect(try await texts(for: ana) == ["first", commentsStay ? "of eva" : ""])
        let items = try await forum.comments(of: topic.id, for: ana, isModerator: false).page.items
        #expect(items[1].author == nil && items[1].authorName == nil)
        #expect(try await forum.topics().items.contains { $0.id == own.id } == commentsStay)
        #expect(try await forum.search("eva", for: ana).items.isEmpty == !commentsStay)
    }
}
