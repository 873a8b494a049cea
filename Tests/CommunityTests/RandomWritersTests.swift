import Accounts
import Database
import DatabaseTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Community

/// Members who do everything at the same time; afterwards all counters say what a recount says.
@Suite(.eachEngine, .timeLimit(.minutes(5)))
struct RandomWritersTests {
    /// Seeds of the random sequences; more with `ANTENA_SEEDS=100`.
    private static let seeds: [UInt64] =
        Array(1...(ProcessInfo.processInfo.environment["ANTENA_SEEDS"].flatMap(UInt64.init) ?? 1))

    private static let memberCount = 6
    private static let stepCount = 60
    private static let threshold = 3

    @Test(arguments: seeds) func countersAgreeWithARecount(seed: UInt64) async throws {
        let fixture = try await CommunityFixture(CommunitySettings(reportThreshold: Self.threshold))
        let community = fixture.community
        let owner = try await fixture.member("owner")
        var videos: [OpaqueID] = []
        for title in ["a", "b", "c"] {
            try await fixture.add(title)
            videos.append(try await community.publish(VideoContents(name: title), title: title, by: owner).id)
        }
        var members: [Caller] = []
        for number in 0..<Self.memberCount { members.append(try await fixture.member("member\(number)")) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, member) in members.enumerated() {
                group.addTask { [videos] in
                    var random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
                    for _ in 0..<Self.stepCount {
                        try await Self.step(community, member, videos, &random)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await community.counterDifferences() == [], "seed \(seed)")
        // Whatever was reported three times was hidden once, and nothing else was.
        let crossings = try await fixture.database.read { db in
            try db.rows(
                """
                SELECT crossings, (SELECT COUNT(*) FROM itemReport AS r WHERE r.kind = i.kind AND r.subject = i.subject)
                FROM moderatedItem AS i
                """
            ) { row in (crossings: try row.value(0) as Int64, reports: try row.value(1) as Int64) }
        }
        #expect(crossings.allSatisfy { $0.crossings <= 1 })
        #expect(crossings.allSatisfy { $0.reports < Self.threshold || $0.crossings == 1 }, "seed \(seed)")
        fixture.accounts.beforeRemoval { user, db in try community.forget(user, db) }
        for member in members.prefix(3) {
            try await fixture.accounts.removeAccount(try CommunityFixture.id(member), by: fixture.operatorCaller)
        }
        #expect(try await community.counterDifferences() == [], "after members have left, seed \(seed)")
    }

    /// One thing that a member does. What is refused because of others is no failure.
    private static func step(
        _ community: Community, _ member: Caller, _ videos: [OpaqueID], _ random: inout SeededGenerator
    ) async throws {
        guard let video = videos.randomElement(using: &random) else { return }
        let (choice, isOn) = (Int.random(in: 0..<10, using: &random), Bool.random(using: &random))
        let other = "member\(Int.random(in: 0..<memberCount, using: &random))"
        do {
            switch choice {
            case 0...2: _ = try await community.setLike(isOn, of: video, by: member)
            case 3...4: _ = try await community.setFollow(isOn, other, by: member)
            case 5:
                _ = try await community.comment("text", on: video, by: member, isModerator: false)
            case 6:
                let comments = try await community.comments(on: video, for: member, isModerator: false).page.items
                guard let comment = comments.randomElement(using: &random) else { return }
                if isOn {
                    _ = try await community.comment(
                        "answer", parent: comment.id, on: video, by: member, isModerator: false)
                } else {
                    try await community.deleteComment(comment.id, by: member, isModerator: false)
                }
            case 7...8: try await community.report(.video, video, .spam, text: "", by: member)
            default: try await community.withdrawReport(.video, video, by: member)
            }
        } catch is Refusal {
            return
        }
    }
}
