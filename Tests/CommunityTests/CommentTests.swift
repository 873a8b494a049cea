import Accounts
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Community

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct CommentTests {
    private let fixture: CommunityFixture
    private let (ana, eva, leo): (Caller, Caller, Caller)
    private let video: Video
    private var community: Community { fixture.community }

    init() async throws {
        fixture = try await CommunityFixture()
        try await fixture.add("a")
        ana = try await fixture.member("ana")
        eva = try await fixture.member("eva")
        leo = try await fixture.member("leo")
        video = try await fixture.community.publish(VideoContents(name: "a"), title: "a", by: ana)
    }

    private func write(_ text: String, to parent: VideoComment? = nil, by caller: Caller) async throws -> VideoComment {
        try await community.comment(text, parent: parent?.id, on: video.id, by: caller, isModerator: false)
    }

    private func count() async throws -> Int64 {
        try await community.video(video.id, for: ana, maySeeHidden: false).counts.comments
    }

    private func texts(for caller: Caller) async throws -> [String] {
        try await community.comments(on: video.id, for: caller, isModerator: false).page.items.map(\.text)
    }

    @Test func aThreadIsOneLevelDeep() async throws {
        let first = try await write("first", by: eva)
        let answer = try await write("answer", to: first, by: leo)
        _ = try await write("second", by: leo)
        let found = try await community.comments(on: video.id, for: eva, isModerator: false)
        #expect(found.page.items.map(\.text) == ["second", "first"] && found.replies.map(\.text) == ["answer"])
        #expect(found.page.items.map(\.replies) == [0, 1] && found.replies.first?.parent == first.id)
        #expect(try await count() == 3)
        #expect(await CommunityFixture.code { try await write("deeper", to: answer, by: eva) } == .invalidField)
        let page = try await community.comments(on: video.id, for: eva, isModerator: false, limit: 1)
        let rest = try await community.comments(
            on: video.id, for: eva, isModerator: false, after: page.page.next, limit: 1)
        #expect(rest.page.items.map(\.text) == ["first"] && rest.replies.count == 1 && rest.page.next == nil)
        let replies = try await community.replies(to: first.id, for: eva, isModerator: false)
        #expect(replies.items.map(\.text) == ["answer"])
    }

    @Test func theLengthHasLimits() async throws {
        #expect(await CommunityFixture.code { try await write(" \n ", by: eva) } == .emptyField)
        let longest = String(repeating: "é", count: 10_000)
        #expect(try await write(longest, by: eva).text == longest)
        #expect(await CommunityFixture.code { try await write(longest + "e", by: eva) } == .invalidField)
        #expect(try await write("a\u{1B}[31mb\nc", by: eva).text.contains("\u{1B}") == false)
    }

    @Test func aChangeIsSeenAndOnlyTheAuthorMakesOne() async throws {
        let comment = try await write("first", by: eva)
        #expect(comment.editedAt == nil)
        fixture.clock.advance(by: .seconds(5))
        let edited = try await community.edit(comment.id, "better", by: eva, isModerator: false)
        #expect(edited.text == "better" && edited.editedAt != nil)
        let refused = await CommunityFixture.code {
            try await community.edit(comment.id, "worse", by: ana, isModerator: true)
        }
        #expect(refused == .forbidden)
    }

    @Test func aDeletedCommentStaysWithoutItsTextUntilTheLastAnswerGoes() async throws {
        let comment = try await write("first", by: eva)
        let answer = try await write("answer", to: comment, by: leo)
        let refused = await CommunityFixture.code {
            try await community.deleteComment(comment.id, by: leo, isModerator: false)
        }
        #expect(refused == .forbidden)
        try await community.deleteComment(comment.id, by: eva, isModerator: false)
        #expect(try await texts(for: leo) == [""])
        #expect(try await count() == 1)
        #expect(await CommunityFixture.code { try await write("late", to: comment, by: leo) } == .notFound)
        // The owner of the video deletes any.
        try await community.deleteComment(answer.id, by: ana, isModerator: false)
        #expect(try await texts(for: leo) == [])
        #expect(try await count() == 0)
        #expect(try await community.counterDifferences() == [])
    }

    @Test func theOwnerApprovesOrCloses() async throws {
        _ = try await community.change(video.id, from: nil, by: ana, mayManage: false) { $0.commentPolicy = .approval }
        let comment = try await write("first", by: eva)
        #expect(comment.state == .held)
        #expect(try await texts(for: leo) == [])
        #expect(try await texts(for: eva) == ["first"], "one sees one's own")
        #expect(try await texts(for: ana) == ["first"], "the owner sees what waits")
        #expect(try await count() == 0)
        let refused = await CommunityFixture.code {
            try await community.approveComment(comment.id, by: eva, isModerator: false)
        }
        #expect(refused == .forbidden)
        _ = try await community.approveComment(comment.id, by: ana, isModerator: false)
        #expect(try await texts(for: leo) == ["first"])
        #expect(try await count() == 1)
        _ = try await community.change(video.id, from: nil, by: ana, mayManage: false) { $0.commentPolicy = .closed }
        #expect(await CommunityFixture.code { try await write("late", by: eva) } == .conflict)
    }

    @Test func linksOfThoseWhoHaveJustComeAreHeld() async throws {
        #expect(try await write("see HTTPS://example.org", by: eva).state == .held)
        let plain = try await write("fine", by: eva)
        #expect(plain.state == .shown)
        #expect(try await community.edit(plain.id, "www.example.org", by: eva, isModerator: false).state == .held)
        #expect(try await count() == 0)
        fixture.clock.advance(by: Community.timeUntilTrusted)
        #expect(try await write("see https://example.org", by: eva).state == .shown)
    }

    @Test func aMemberWritesOnlySoMany() async throws {
        for number in 0..<Community.maximumCommentCount { _ = try await write("\(number)", by: eva) }
        let refusal = await Refusal.of { try await write("more", by: eva) }
        #expect(refusal?.code == .tooManyAttempts && refusal?.retryAfter == .seconds(600))
        _ = try await write("another", by: leo)
        fixture.clock.advance(by: Community.commentWindow)
        _ = try await write("later", by: eva)
    }
}
