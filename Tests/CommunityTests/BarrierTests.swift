import Accounts
import Database
import DatabaseTestSupport
import MediaCore
import Testing

@testable import Community

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct BarrierTests {
    private let fixture: CommunityFixture
    private let ana: Caller
    private let eva: Caller
    private let leo: Caller
    private let video: OpaqueID
    private var community: Community { fixture.community }

    init() async throws {
        fixture = try await CommunityFixture()
        for id in ["a", "b"] { try await fixture.add(id) }
        ana = try await fixture.member("ana")
        eva = try await fixture.member("eva")
        leo = try await fixture.member("leo")
        video = try await fixture.community.publish(VideoContents(name: "a"), title: "a", by: ana).id
    }

    private func comments(by reader: Caller, isModerator: Bool = false) async throws -> [String] {
        let found = try await community.comments(on: video, for: reader, isModerator: isModerator)
        return found.page.items.map(\.text) + found.replies.map(\.text)
    }

    @Test func whoIsBlockedIsKeptAway() async throws {
        _ = try await community.setFollow(true, "ana", by: eva)
        _ = try await community.setFollow(true, "eva", by: ana)
        _ = try await community.setLike(true, of: video, by: eva)
        let own = try await community.comment("first", on: video, by: ana, isModerator: false)
        let other = try await community.publish(VideoContents(name: "b"), title: "b", by: leo).id
        let elsewhere = try await community.comment("there", on: other, by: ana, isModerator: false)
        let profile = try await community.setBarrier(.block, true, "EVA", by: ana)
        #expect(profile.isBlocked && !profile.isMuted && profile.followers == 0 && profile.followings == 0)
        #expect(try await community.profile(of: "ana", for: eva).followers == 0, "it ends both ways")
        for attempt in [
            await CommunityFixture.code { try await community.setFollow(true, "ana", by: eva) },
            await CommunityFixture.code { try await community.setLike(true, of: video, by: eva) },
            await CommunityFixture.code {
                try await community.comment("hello", on: video, by: eva, isModerator: false)
            },
            await CommunityFixture.code {
                try await community.comment("hello", parent: own.id, on: video, by: eva, isModerator: false)
            },
            await CommunityFixture.code {
                try await community.comment("hello", parent: elsewhere.id, on: other, by: eva, isModerator: false)
            },
        ] { #expect(attempt == .forbidden) }
        #expect(await CommunityFixture.code { try await community.setFollow(true, "eva", by: ana) } == .conflict)
        #expect(try await community.comment("hi", on: other, by: eva, isModerator: false).state == .shown)
        #expect(try await community.setLike(false, of: video, by: eva).counts.likes == 0, "a like can be taken back")
        #expect(try await community.counterDifferences() == [])
        _ = try await community.setBarrier(.block, false, "eva", by: ana)
        #expect(try await community.setFollow(true, "ana", by: eva).followers == 1)
    }

    @Test func whoIsMutedIsNotSeen() async throws {
        let parent = try await community.comment("first", on: video, by: ana, isModerator: false)
        _ = try await community.comment("noise", on: video, by: eva, isModerator: false)
        _ = try await community.comment("answer", parent: parent.id, on: video, by: eva, isModerator: false)
        _ = try await community.publish(VideoContents(name: "b"), title: "b", by: eva)
        _ = try await community.setFollow(true, "eva", by: leo)
        _ = try await community.setFollow(true, "leo", by: eva)
        func feed() async throws -> [String] {
            try await community.videos(VideoQuery(.feed(of: try CommunityFixture.id(leo)))).items.map(\.name)
        }
        #expect(try await feed() == ["b"])
        #expect(try await community.setBarrier(.mute, true, "eva", by: leo).isMuted)
        #expect(try await comments(by: leo) == ["first"])
        #expect(try await comments(by: ana) == ["noise", "first", "answer"])
        #expect(try await comments(by: leo, isModerator: true).count == 3, "moderators see all")
        #expect(try await feed().isEmpty)
        #expect(try await community.videos(VideoQuery()).items.map(\.name) == ["b", "a"], "other lists stay")
        #expect(try await community.activities(.news, of: leo, visible: nil).items.isEmpty)
        _ = try await community.setBarrier(.mute, false, "eva", by: leo)
        #expect(try await comments(by: leo).count == 3)
        _ = try await community.setBarrier(.block, true, "eva", by: leo)
        #expect(try await comments(by: leo) == ["first"], "who is blocked is muted")
    }

    @Test func theListsAreTheCallersOwn() async throws {
        for name in ["eva", "leo", "eva"] { _ = try await community.setBarrier(.block, true, name, by: ana) }
        _ = try await community.setBarrier(.mute, true, "leo", by: ana)
        let first = try await community.barriers(.block, of: ana, limit: 1)
        let second = try await community.barriers(.block, of: ana, after: first.next, limit: 1)
        #expect((first.items + second.items).map(\.username) == ["leo", "eva"] && second.next == nil)
        #expect(try await community.barriers(.mute, of: ana).items.map(\.username) == ["leo"])
        #expect(try await community.barriers(.block, of: leo).items.isEmpty)
        #expect(
            await CommunityFixture.code { try await community.setBarrier(.mute, true, "ana", by: ana) } == .conflict)
        #expect(
            await CommunityFixture.code { try await community.setBarrier(.mute, true, "nobody", by: ana) } == .notFound)
        let activity = try await community.activity(of: try CommunityFixture.id(ana))
        #expect(activity.blocked == ["leo", "eva"] && activity.muted == ["leo"], "the export has them")
    }
}
