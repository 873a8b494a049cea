import Accounts
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Community

/// A clock that is wrong for a minute keeps nobody from anything afterwards.
@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct ClockStepTests {
    private static let day = Duration.seconds(86_400)
    private static let steps = [day, day * 365, .zero - day, .zero - day * 365]

    private let fixture: CommunityFixture
    private let (ana, eva): (Caller, Caller)
    private let video: Video
    private var community: Community { fixture.community }

    init() async throws {
        fixture = try await CommunityFixture()
        try await fixture.add("a")
        ana = try await fixture.member("ana")
        eva = try await fixture.member("eva")
        video = try await fixture.community.publish(VideoContents(name: "a"), title: "a", by: ana)
    }

    /// Runs the body while the clock is wrong.
    private func stepping(_ step: Duration, _ body: () async throws -> Void) async throws {
        fixture.clock.set(fixture.clock.time + step)
        try await body()
        fixture.clock.advance(by: .seconds(60))
        fixture.clock.set(fixture.clock.time - step)
    }

    @Test(arguments: steps) func aClaimOfThatMinuteKeepsNoModeratorOut(_ step: Duration) async throws {
        let first = try await fixture.member("first", role: .moderator)
        let second = try await fixture.member("second", role: .moderator)
        try await community.report(.video, video.id, .spam, text: "", by: eva)
        try await stepping(step) {
            let claimed = try await community.claim(.video, video.id, by: first)
            #expect(claimed.claimedBy == "first")
            let refused = await CommunityFixture.code {
                try await community.claim(.video, video.id, by: second)
            }
            #expect(refused == .conflict, "it holds for who has the same clock")
        }
        #expect(try await community.claim(.video, video.id, by: second).claimedBy == "second")
        #expect(await CommunityFixture.code { try await community.claim(.video, video.id, by: first) } == .conflict)
        fixture.clock.advance(by: ModeratedItem.claimTime)
        _ = try await community.decide(.restored, note: "", .video, video.id, by: first, mayManage: false)
        #expect(try await community.moderationQueue().items.isEmpty)
    }

    /// A claim that was made before is over after a step forwards, and lasts longer after one backwards, unless that is
    /// more than a claim lasts.
    @Test(arguments: steps) func aClaimFromBeforeKeepsNobodyOutForLong(_ step: Duration) async throws {
        let first = try await fixture.member("first", role: .moderator)
        let second = try await fixture.member("second", role: .moderator)
        try await community.report(.video, video.id, .spam, text: "", by: eva)
        _ = try await community.claim(.video, video.id, by: first)
        fixture.clock.set(fixture.clock.time + step)
        #expect(try await community.claim(.video, video.id, by: second).claimedBy == "second")
    }

    @Test(arguments: steps) func whatWasDoneInThatMinuteUsesUpNoLimit(_ step: Duration) async throws {
        var comments: [VideoComment] = []
        for _ in 0..<Community.maximumReportCount {
            comments.append(try await community.comment("x", on: video.id, by: ana, isModerator: false))
            fixture.clock.advance(by: Community.commentWindow)
        }
        let limit = Community.maximumCommentCount
        try await stepping(step) {
            for comment in comments {
                try await community.report(.comment, comment.id, .other, text: "", by: eva)
            }
            let report = await Refusal.of {
                try await community.report(.video, video.id, .other, text: "", by: eva)
            }
            #expect(report?.code == .tooManyAttempts && report?.retryAfter == Community.reportWindow)
            for _ in 0..<limit { _ = try await community.comment("y", on: video.id, by: eva, isModerator: false) }
            let comment = await Refusal.of {
                try await community.comment("y", on: video.id, by: eva, isModerator: false)
            }
            #expect(comment?.code == .tooManyAttempts && comment?.retryAfter == Community.commentWindow)
        }
        try await community.report(.video, video.id, .other, text: "", by: eva)
        _ = try await community.comment("z", on: video.id, by: eva, isModerator: false)
    }
}
