import Accounts
import DatabaseTestSupport
import MediaCore
import Testing

@testable import Community

struct HeldWordsTests {
    private let words = HeldWords(["Cañón", "STRASSE", "buy now", "  ", "x-y"])

    @Test(
        arguments: [
            ("¡cañón!", true), ("CANON", true), ("cañones", false), ("acanon", false), ("Straße", true),
            ("buy  now", true), ("Buy-Now, please", true), ("buy it now", false), ("buynow", false), ("x y", true),
            ("", false), ("nothing", false),
        ])
    func wholeWordsAreFoundWithoutCaseAndAccents(_ text: String, _ isFound: Bool) {
        #expect(words.areIn(text) == isFound)
    }

    @Test func withoutAListNothingIsFound() { #expect(!HeldWords().areIn("anything")) }
}

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct HeldTextTests {
    @Test func commentsWaitAndOtherTextsAreRefused() async throws {
        let fixture = try await CommunityFixture(CommunitySettings(heldWords: HeldWords(["spam"])))
        let community = fixture.community
        for id in ["a", "b", "c"] { try await fixture.add(id) }
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        let video = try await community.publish(VideoContents(name: "a"), title: "a", by: ana)
        let held = try await community.comment("Spám!", on: video.id, by: eva, isModerator: false)
        #expect(held.state == .held)
        #expect(try await community.comment("spam", on: video.id, by: ana, isModerator: false).state == .shown)
        let fine = try await community.comment("fine", on: video.id, by: eva, isModerator: false)
        #expect(fine.state == .shown)
        #expect(try await community.edit(fine.id, "spam", by: eva, isModerator: false).state == .held)
        #expect(try await community.approveComment(held.id, by: ana, isModerator: false).state == .shown)
        let changes: [@Sendable (inout VideoContents) -> Void] = [
            { $0.name = "spam" }, { $0.text = "no spam" }, { $0.tags = ["spam"] },
        ]
        for change in changes {
            var contents = VideoContents(name: "b")
            change(&contents)
            let published = await CommunityFixture.code { [contents] in
                try await community.publish(contents, title: "b", by: ana)
            }
            let changed = await CommunityFixture.code {
                try await community.change(video.id, from: nil, by: ana, mayManage: false) { change(&$0) }
            }
            #expect(published == .invalidField && changed == .invalidField)
        }
        _ = try await community.publish(VideoContents(name: "spam"), title: "c", by: fixture.operatorCaller)
        #expect(
            await CommunityFixture.code { try await community.changeProfile(by: ana) { $0.about = "spam" } }
                == .invalidField)
    }
}
