import Accounts
import Database
import DatabaseTestSupport
import Testing

@testable import Community

struct ReportWeightTests {
    @Test(
        arguments: [
            (0, 0, 2), (4, 0, 2), (5, 0, 4), (5, 1, 4), (5, 2, 2), (8, 2, 4), (.max, .max, 2), (0, 2, 2), (0, 3, 1),
            (3, 3, 2), (3, 4, 1), (0, .max, 1),
        ] as [(Int64, Int64, Int64)])
    func theRecordOfTheReporterDecides(_ confirmed: Int64, _ rejected: Int64, _ weight: Int64) {
        #expect(ReportWeight.weight(confirmed: confirmed, rejected: rejected) == weight)
    }
}

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct WeighedReportTests {
    @Test(arguments: [false, true])
    func reportsOfThoseWhoWereRightCountMore(isWeighed: Bool) async throws {
        let fixture = try await CommunityFixture(CommunitySettings(reportThreshold: 2, weighsReports: isWeighed))
        let community = fixture.community
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        for number in 1...6 {
            try await fixture.add("t\(number)")
            let video = try await community.publish(VideoContents(name: "v"), title: "t\(number)", by: ana)
            try await community.report(.video, video.id, .spam, text: "", by: eva)
            let isHidden = try await community.video(video.id, for: ana, maySeeHidden: false).state == .hidden
            #expect(isHidden == (isWeighed && number == 6), "\(number)")
            if number < 6 {
                _ = try await community.decide(
                    number < 5 ? .hidden : .deleted, note: "", .video, video.id, by: fixture.operatorCaller,
                    mayManage: true)
            }
        }
        let crossings: Int64? = try await fixture.database.read { db in
            try db.firstValue("SELECT COUNT(*) FROM moderatedItem WHERE crossings = 1")
        }
        #expect(crossings == (isWeighed ? 1 : 0))
    }

    @Test func reportsOfThoseWhoWereWrongCountLess() async throws {
        let fixture = try await CommunityFixture(CommunitySettings(reportThreshold: 1, weighsReports: true))
        let community = fixture.community
        let (ana, eva, leo) = (
            try await fixture.member("ana"), try await fixture.member("eva"), try await fixture.member("leo")
        )
        for number in 1...4 {
            try await fixture.add("t\(number)")
            let video = try await community.publish(VideoContents(name: "v"), title: "t\(number)", by: ana)
            try await community.report(.video, video.id, .spam, text: "", by: eva)
            func isHidden() async throws -> Bool {
                try await community.video(video.id, for: ana, maySeeHidden: false).state == .hidden
            }
            #expect(try await isHidden() == (number < 4), "\(number)")
            if number == 4 {
                try await community.report(.video, video.id, .spam, text: "", by: leo)
                #expect(try await isHidden())
                try await community.withdrawReport(.video, video.id, by: leo)
            } else {
                _ = try await community.decide(
                    .restored, note: "", .video, video.id, by: fixture.operatorCaller, mayManage: true)
            }
        }
        #expect(try await community.counterDifferences() == [])
    }
}
