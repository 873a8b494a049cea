import Accounts
import Catalogue
import Database
import DatabaseTestSupport
import MediaCore
import Testing

@testable import Community

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct ActivityTests {
    private let fixture: CommunityFixture
    private let ana: Caller
    private let eva: Caller
    private let leo: Caller
    private var community: Community { fixture.community }

    init() async throws {
        fixture = try await CommunityFixture()
        for id in ["a", "b", "c"] { try await fixture.add(id) }
        ana = try await fixture.member("ana")
        eva = try await fixture.member("eva")
        leo = try await fixture.member("leo")
    }

    private func publish(
        _ title: String, by caller: Caller, _ visibility: VideoVisibility = .public
    ) async throws -> OpaqueID {
        try await community.publish(VideoContents(name: title, visibility: visibility), title: title, by: caller).id
    }

    private func list(_ list: ActivityList, of caller: Caller, limit: Int = 100) async throws -> [String] {
        var (found, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = try await community.activities(list, of: caller, visible: nil, after: cursor, limit: limit)
            found += page.items.map { "\($0.actor) \($0.kind.rawValue) \($0.videoName ?? "-") \($0.text ?? "-")" }
            cursor = page.next
        } while cursor != nil
        return found
    }

    private func hide(_ id: OpaqueID, _ state: VideoState = .hidden) async throws {
        try await fixture.database.write { db in
            try VideoRows.setState(state, of: try VideoRows.required(id, reader: nil, db), isUpload: false, db)
        }
    }

    @Test func newsAreWhatOthersDo() async throws {
        let (own, other) = (try await publish("a", by: ana), try await publish("b", by: eva))
        _ = try await community.setFollow(true, "ana", by: eva)
        _ = try await community.setFollow(true, "ana", by: eva)
        _ = try await community.setLike(true, of: own, by: eva)
        _ = try await community.setLike(true, of: own, by: ana)
        let comment = try await community.comment("good", on: own, by: leo, isModerator: false)
        _ = try await community.comment("thanks", parent: comment.id, on: own, by: ana, isModerator: false)
        let question = try await community.comment("where?", on: other, by: ana, isModerator: false)
        _ = try await community.comment("here", parent: question.id, on: other, by: leo, isModerator: false)
        let all = ["leo reply b here", "leo comment a good", "eva like a -", "eva follower - -"]
        #expect(try await list(.news, of: ana) == all)
        #expect(try await list(.news, of: ana, limit: 1) == all, "page by page")
        #expect(try await list(.news, of: leo) == ["ana reply a thanks"])
        #expect(
            try await list(.news, of: eva) == ["leo comment b here", "ana comment b where?"],
            "the owner of a video learns of answers as of comments")
        _ = try await community.setLike(false, of: own, by: eva)
        _ = try await community.setFollow(false, "ana", by: eva)
        try await community.deleteComment(comment.id, by: leo, isModerator: false)
        #expect(try await list(.news, of: ana) == ["leo reply b here"])
        try await hide(other)
        #expect(try await list(.news, of: ana).isEmpty, "the video is hidden from her")
        try await hide(other, .shown)
        try await community.withdraw(other, by: eva, mayManage: false)
        #expect(try await list(.news, of: ana).isEmpty)
    }

    @Test func aCommentThatWaitsIsNoNewsYet() async throws {
        let own = try await publish("a", by: ana)
        _ = try await community.change(own, from: nil, by: ana, mayManage: false) { $0.commentPolicy = .approval }
        let comment = try await community.comment("good", on: own, by: leo, isModerator: false)
        #expect(try await list(.news, of: ana).isEmpty)
        _ = try await community.approveComment(comment.id, by: ana, isModerator: false)
        #expect(try await list(.news, of: ana) == ["leo comment a good"])
    }

    @Test func likesOfThoseWhomSomebodyFollows() async throws {
        let ids = [
            try await publish("a", by: leo), try await publish("b", by: leo, .unlisted),
            try await publish("c", by: ana),
        ]
        for id in ids { _ = try await community.setLike(true, of: id, by: eva) }
        #expect(try await list(.followed, of: ana).isEmpty)
        _ = try await community.setFollow(true, "eva", by: ana)
        #expect(try await list(.followed, of: ana) == ["eva like c -", "eva like a -"], "not the unlisted one")
        #expect(try await list(.own, of: eva, limit: 1) == ["eva like c -", "eva like a -"])
        _ = try await community.setFollow(true, "eva", by: leo)
        #expect(try await list(.followed, of: leo) == ["eva like c -", "eva like b -", "eva like a -"], "his own")
        try await hide(ids[0])
        #expect(try await list(.followed, of: ana) == ["eva like c -"])
        _ = try await community.changeProfile(by: eva) { $0.showsLikes = false }
        #expect(try await list(.followed, of: ana).isEmpty)
        #expect(try await list(.own, of: eva) == ["eva like c -"])
    }

    @Test func manyLikesAreWalkedInTheSameOrder() async throws {
        let id = try await publish("a", by: leo)
        _ = try await community.setLike(true, of: id, by: eva)
        _ = try await community.setFollow(true, "eva", by: ana)
        let member = try CommunityFixture.id(ana)
        let walked = try await fixture.database.read { db in
            try ActivityRows.page(
                ActivityQuery(.followed, of: member, visible: nil, before: .max, limit: 10, isSparse: false), db)
        }
        #expect(walked.map(\.actor) == ["eva"])
    }

    @Test func nothingIsLeftOfThoseWhoLeave() async throws {
        let own = try await publish("a", by: ana)
        _ = try await community.setLike(true, of: own, by: eva)
        _ = try await community.comment("good", on: own, by: eva, isModerator: false)
        fixture.accounts.beforeRemoval { [community] user, db in try community.forget(user, db) }
        try await fixture.accounts.removeAccount(try CommunityFixture.id(eva), by: fixture.operatorCaller)
        #expect(try await list(.news, of: ana).isEmpty)
    }

    @Test func everyListIsReadThroughAnIndex() async throws {
        let member = try CommunityFixture.id(ana)
        for (list, index) in [
            (ActivityList.news, "memberActivity_owner"), (.own, "videoLike_user"), (.followed, "videoLike_user"),
        ] {
            let query = ActivityQuery(list, of: member, visible: nil, before: .max, limit: 20, isSparse: true)
            let plan = try await fixture.database.read { db in try db.plan(of: query.sql, query.arguments) }.joined(
                separator: "\n")
            #expect(plan.lowercased().contains(index.lowercased()), "\(list): \(plan)")
        }
    }
}
