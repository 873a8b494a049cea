import Accounts
import Catalogue
import Database
import DatabaseTestSupport
import MediaCore
import Testing

@testable import Community

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct VideoTests {
    private let fixture: CommunityFixture
    private var community: Community { fixture.community }

    init() async throws {
        fixture = try await CommunityFixture()
        for id in ["a", "b", "c", "d", "e"] { try await fixture.add(id) }
    }

    private func publish(
        _ title: String, by caller: Caller, _ change: (inout VideoContents) -> Void = { _ in }
    ) async throws -> Video {
        var contents = VideoContents(name: "video \(title)")
        change(&contents)
        return try await community.publish(contents, title: title, by: caller)
    }

    private func names(_ query: VideoQuery) async throws -> [String] {
        try await community.videos(query).items.map(\.title)
    }

    private func hold(_ title: String) async throws -> HoldReason? {
        try await fixture.database.read { db in try AudienceRows.hold(in: .titles, of: title, db) }
    }

    @Test func aTitleIsPublishedOnce() async throws {
        let ana = try await fixture.member("ana")
        let video = try await publish("a", by: ana) { $0.tags = ["rally", " snow ", "rally"] }
        #expect(video.ownerName == "ana" && video.tags == ["rally", "snow"] && video.state == .shown)
        #expect(await CommunityFixture.code { try await publish("a", by: ana) } == .conflict)
        #expect(await CommunityFixture.code { try await publish("z", by: ana) } == .notFound)
        #expect(
            await CommunityFixture.code { try await publish("b", by: ana) { $0.name = " \u{7} " } } == .emptyField)
        #expect(await CommunityFixture.code { try await publish("b", by: ana) { $0.day = 1 } } == .invalidField)
        #expect(try await community.profile(of: "ANA", for: ana).videos == 1)
    }

    @Test func anUnlistedVideoIsReachedByItsAddressOnly() async throws {
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        let video = try await publish("a", by: ana) { $0.visibility = .unlisted }
        #expect(try await names(VideoQuery()).isEmpty)
        #expect(try await hold("a") == .unlisted)
        #expect(try await community.video(video.id, for: eva, maySeeHidden: false).id == video.id)
        #expect(try await community.profile(of: "ana", for: ana).videos == 0)
        _ = try await community.change(video.id, from: [1], by: ana, mayManage: false) { $0.visibility = .public }
        #expect(try await names(VideoQuery()) == ["a"])
        #expect(try await hold("a") == nil)
        #expect(try await community.profile(of: "ana", for: ana).videos == 1)
    }

    @Test func theOwnerChangesReplacesAndWithdraws() async throws {
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        let video = try await publish("a", by: ana)
        _ = try await community.setLike(true, of: video.id, by: eva)
        let refused = await CommunityFixture.code {
            try await community.change(video.id, from: nil, by: eva, mayManage: false) { $0.name = "mine" }
        }
        #expect(refused == .forbidden)
        let changed = try await community.change(video.id, title: "b", from: [1], by: ana, mayManage: false) {
            $0.name = "better"
        }
        #expect(changed.title == "b" && changed.name == "better" && changed.counts.likes == 1 && changed.revision == 2)
        let late = await CommunityFixture.code {
            try await community.change(video.id, from: [1], by: ana, mayManage: false) { $0.name = "old" }
        }
        #expect(late == .changedMeanwhile)
        try await community.withdraw(video.id, by: ana, mayManage: false)
        #expect(
            await CommunityFixture.code { try await community.video(video.id, for: ana, maySeeHidden: true) }
                == .notFound)
        #expect(try await community.profile(of: "ana", for: ana).videos == 0)
        _ = try await publish("b", by: eva)
    }

    @Test func listsAreOrderedByDateOrLikesAndPaged() async throws {
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        var videos: [String: Video] = [:]
        for title in ["a", "b", "c", "d"] { videos[title] = try await publish(title, by: title < "c" ? ana : eva) }
        for (title, members) in [("a", [ana, eva]), ("c", [ana])] {
            for member in members {
                _ = try await community.setLike(true, of: try #require(videos[title]).id, by: member)
            }
        }
        #expect(try await names(VideoQuery()) == ["d", "c", "b", "a"])
        #expect(try await names(VideoQuery(order: .likes)) == ["a", "c", "d", "b"])
        let owner = VideoQuery(.member(try CommunityFixture.id(eva)))
        #expect(try await names(owner) == ["d", "c"])
        for order in VideoQuery.Order.allCases {
            var (found, cursor): ([String], String?) = ([], nil)
            repeat {
                let page = try await community.videos(VideoQuery(order: order), after: cursor, limit: 1)
                found += page.items.map(\.title)
                cursor = page.next
            } while cursor != nil
            #expect(found == (order == .newest ? ["d", "c", "b", "a"] : ["a", "c", "d", "b"]))
        }
        for cursor in ["", "1", "likes-1", "newest-x", "newest-1-2", "newest-99999999999999999999"] {
            let code = await CommunityFixture.code { try await community.videos(VideoQuery(), after: cursor) }
            #expect(code == .invalidCursor, "\(cursor)")
        }
    }

    @Test func aFeedHasTheVideosOfThoseWhomOneFollowsAndOnesOwn() async throws {
        let (ana, eva, leo) = (
            try await fixture.member("ana"), try await fixture.member("eva"), try await fixture.member("leo")
        )
        _ = try await publish("a", by: ana)
        _ = try await publish("b", by: eva)
        _ = try await publish("c", by: leo)
        let feed = VideoQuery(.feed(of: try CommunityFixture.id(ana)))
        #expect(try await names(feed) == ["a"])
        let profile = try await community.setFollow(true, "Leo", by: ana)
        #expect(profile.followers == 1 && profile.isFollowed == true)
        _ = try await community.setFollow(true, "leo", by: ana)
        #expect(try await community.profile(of: "leo", for: ana).followers == 1)
        #expect(try await names(feed) == ["c", "a"])
        // The other way to find the same.
        for isSparse in [true, false] {
            let list = VideoList(
                feed, words: nil, after: nil, limit: 10, isFeedSparse: isSparse,
                fixture.database.dialect)
            let titles = try await fixture.database.read { db in try VideoRows.page(list, db).map(\.title) }
            #expect(titles == ["c", "a"])
        }
        #expect(await CommunityFixture.code { try await community.setFollow(true, "ana", by: ana) } == .conflict)
        #expect(await CommunityFixture.code { try await community.setFollow(true, "nobody", by: ana) } == .notFound)
        _ = try await community.setFollow(false, "leo", by: ana)
        #expect(try await names(feed) == ["a"])
    }

    @Test func searchFindsNamesTextsAndTags() async throws {
        let ana = try await fixture.member("ana")
        _ = try await publish("a", by: ana) { $0.name = "Salida en Cádiz" }
        _ = try await publish("b", by: ana) { $0.text = "La segunda etapa, con lluvia." }
        let third = try await publish("c", by: ana) { $0.tags = ["salida"] }
        #expect(try await names(VideoQuery(matching: "salid")) == ["c", "a"])
        #expect(try await names(VideoQuery(matching: "CADIZ")) == ["a"])
        #expect(try await names(VideoQuery(matching: "lluvia seg")) == ["b"])
        #expect(try await names(VideoQuery(matching: "...")).isEmpty)
        _ = try await community.setLike(true, of: third.id, by: ana)
        // All ways find the same.
        for search in VideoList.Search.allCases {
            for (order, expected) in [(VideoQuery.Order.newest, ["c", "a"]), (.likes, ["c", "a"])] {
                let list = VideoList(
                    VideoQuery(order: order), words: VideoText.query("salid"), after: nil, limit: 10,
                    isFeedSparse: false, search: search, fixture.database.dialect)
                let titles = try await fixture.database.read { db in try VideoRows.page(list, db).map(\.title) }
                #expect(titles == expected, "\(order) \(search)")
            }
        }
        _ = try await community.change(third.id, from: nil, by: ana, mayManage: false) { $0.tags = [] }
        #expect(try await names(VideoQuery(matching: "salid")) == ["a"])
    }

    @Test func likersAreListedWithWhetherTheReaderFollowsThem() async throws {
        let (ana, eva, leo) = (
            try await fixture.member("ana"), try await fixture.member("eva"), try await fixture.member("leo")
        )
        let video = try await publish("a", by: ana)
        for member in [ana, eva, leo] { _ = try await community.setLike(true, of: video.id, by: member) }
        let again = try await community.setLike(true, of: video.id, by: eva)
        #expect(again.counts.likes == 3 && again.isLiked)
        _ = try await community.setFollow(true, "eva", by: ana)
        let page = try await community.likers(of: video.id, for: ana, maySeeHidden: false, limit: 2)
        #expect(page.items.map(\.username) == ["leo", "eva"] && page.items.map(\.isFollowed) == [false, true])
        let rest = try await community.likers(of: video.id, for: ana, maySeeHidden: false, after: page.next)
        #expect(rest.items.map(\.username) == ["ana"] && rest.items.first?.isFollowed == nil)
        #expect(try await community.setLike(false, of: video.id, by: eva).counts.likes == 2)
        #expect(try await community.members(.followers, of: "eva", for: leo).items.map(\.username) == ["ana"])
        #expect(try await community.members(.followings, of: "ana", for: leo).items.map(\.username) == ["eva"])
    }

    @Test func aVideoGoesWithItsTitle() async throws {
        let ana = try await fixture.member("ana")
        let video = try await publish("a", by: ana)
        _ = try await community.comment("good", on: video.id, by: ana, isModerator: false)
        try await fixture.catalogue.deleteTitle(id: "a")
        #expect(try await names(VideoQuery()).isEmpty)
        try await community.sweep()
        #expect(try await community.profile(of: "ana", for: ana).videos == 0)
        #expect(try await community.counterDifferences() == [])
    }

    @Test func nothingIsLeftOfAnAccountThatIsDeleted() async throws {
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        fixture.accounts.beforeRemoval { [community] user, db in try community.forget(user, db) }
        let own = try await publish("a", by: ana) { $0.visibility = .unlisted }
        let other = try await publish("b", by: eva)
        for video in [own, other] { _ = try await community.setLike(true, of: video.id, by: ana) }
        let question = try await community.comment("question", on: other.id, by: ana, isModerator: false)
        let alone = try await community.comment("alone", on: other.id, by: ana, isModerator: false)
        _ = try await community.comment("answer", parent: question.id, on: other.id, by: eva, isModerator: false)
        _ = try await community.setFollow(true, "eva", by: ana)
        _ = try await community.setFollow(true, "ana", by: eva)
        try await community.report(.video, other.id, .spam, text: "", by: ana)
        let id = try CommunityFixture.id(ana)
        let profile = try #require(OpaqueID(parsing: id.text))
        _ = try await community.changeProfile(by: ana) { $0.about = "somebody" }
        try await community.report(.profile, profile, .spam, text: "", by: eva)
        try await community.warn(.profile, profile, "stop it", by: fixture.operatorCaller)
        for kind in BarrierKind.allCases {
            _ = try await community.setBarrier(kind, true, "ana", by: eva)
            _ = try await community.setBarrier(kind, true, "eva", by: ana)
        }
        try await fixture.accounts.removeAccount(id, by: fixture.operatorCaller)
        let left = try await community.video(other.id, for: eva, maySeeHidden: false)
        #expect(left.counts == VideoCounts(likes: 0, comments: 1))
        let comments = try await community.comments(on: other.id, for: eva, isModerator: false)
        #expect(comments.page.items.map(\.state) == [.deleted] && comments.page.items.map(\.text) == [""])
        #expect(!comments.page.items.contains { $0.id == alone.id } && comments.replies.map(\.text) == ["answer"])
        #expect(try await community.profile(of: "eva", for: eva).followers == 0)
        #expect(try await names(VideoQuery()) == ["b"])
        #expect(try await hold("a") == .unlisted, "what was unlisted does not become public")
        #expect(try await community.counterDifferences() == [])
        let tables = CommunitySchema.schema.tables
        let rows = try await fixture.database.read { db in
            try tables.flatMap { table in
                try table.columns.filter { $0.type == .text }.filter { column in
                    try db.exists("SELECT 1 FROM \(table.name) WHERE \(column.name) = ?1", .text(id.text))
                }.map { "\(table.name).\($0.name)" }
            }
        }
        #expect(rows == [])
    }
}
