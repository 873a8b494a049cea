import Accounts
import Database
import DatabaseTestSupport
import GatewayTestSupport
import MediaCore
import Testing

@testable import Community

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct ProfileTests {
    private let fixture: CommunityFixture
    private let ana: Caller
    private let eva: Caller
    private let stranger = Caller(.anonymous, TestAccounts.origin)
    private var community: Community { fixture.community }

    init() async throws {
        fixture = try await CommunityFixture()
        ana = try await fixture.member("ana")
        eva = try await fixture.member("eva")
    }

    private func found(_ text: String, by caller: Caller, limit: Int = 100) async throws -> [String] {
        var (found, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = try await community.findMembers(text, for: caller, after: cursor, limit: limit)
            found += page.items.map(\.username)
            cursor = page.next
        } while cursor != nil
        return found
    }

    @Test func aProfileIsShownAsItWasWritten() async throws {
        #expect(try await community.ownProfile(of: ana) == OwnProfile())
        let about = "Rally driver.\r\n<b>\u{202E}Málaga</b> "
        _ = try await community.changeProfile(by: ana) { $0.about = about }
        #expect(try await community.profile(of: "ANA", for: stranger).about == "Rally driver.\n<b>Málaga</b>")
        _ = try await community.changeProfile(by: ana) { $0.showsFollows = false }
        #expect(try await community.ownProfile(of: ana).about == "Rally driver.\n<b>Málaga</b>", "the rest stays")
        let tooLong = await CommunityFixture.code {
            try await community.changeProfile(by: ana) { $0.about = String(repeating: "x", count: 2_001) }
        }
        #expect(tooLong == .invalidField)
        #expect(await CommunityFixture.code { try await community.ownProfile(of: stranger) } == .loginNeeded)
        let activity = try await community.activity(of: try CommunityFixture.id(ana))
        #expect(activity.profile.about.hasPrefix("Rally driver."), "the export has it")
    }

    @Test func aProfileForMembersIsNotShownToStrangers() async throws {
        _ = try await community.changeProfile(by: ana) { $0.visibility = .members }
        #expect(await CommunityFixture.code { try await community.profile(of: "ana", for: stranger) } == .loginNeeded)
        let list = await CommunityFixture.code { try await community.members(.followers, of: "ana", for: stranger) }
        #expect(list == .loginNeeded)
        #expect(try await community.profile(of: "ana", for: eva).username == "ana")
        #expect(try await found("", by: stranger) == ["eva"])
        #expect(try await found("", by: eva) == ["ana", "eva"])
        #expect(try await found("", by: fixture.operatorCaller) == ["ana", "eva"])
    }

    @Test func listsCanBeKeptFromOthers() async throws {
        try await fixture.add("a")
        let video = try await community.publish(VideoContents(name: "a"), title: "a", by: ana)
        for member in [ana, eva] { _ = try await community.setLike(true, of: video.id, by: member) }
        _ = try await community.setFollow(true, "eva", by: ana)
        _ = try await community.changeProfile(by: eva) { ($0.showsFollows, $0.showsLikes) = (false, false) }
        for side in [Community.FollowSide.followers, .followings] {
            #expect(
                await CommunityFixture.code { try await community.members(side, of: "eva", for: ana) } == .forbidden)
        }
        #expect(try await community.members(.followers, of: "eva", for: eva).items.map(\.username) == ["ana"])
        func likers(_ reader: Caller) async throws -> [String] {
            try await community.likers(of: video.id, for: reader, maySeeHidden: false).items.map(\.username)
        }
        #expect(try await likers(ana) == ["ana"])
        #expect(try await likers(eva) == ["eva", "ana"], "she sees herself")
        #expect(try await community.video(video.id, for: ana, maySeeHidden: false).counts.likes == 2)
    }

    @Test func membersAreFoundByTheBeginningOfTheirNames() async throws {
        for name in ["anabel", "Álvaro", "car.la"] { _ = try await fixture.member(name) }
        _ = try await community.setFollow(true, "anabel", by: ana)
        #expect(try await found("AN", by: ana) == ["ana", "anabel"])
        #expect(try await found("", by: ana, limit: 1).count == 5, "page by page")
        var (names, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = try await community.findMembers("", for: ana, after: cursor, limit: 1)
            names += page.items.map(\.username)
            cursor = page.next
            let isPlain = cursor?.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } ?? true
            #expect(isPlain, "as the API wants it")
        } while cursor != nil
        #expect(Set(names) == ["ana", "anabel", "Álvaro", "car.la", "eva"])
        #expect(try await found("%", by: ana).isEmpty)
        let page = try await community.findMembers("ana", for: ana)
        #expect(page.items.map(\.isFollowed) == [nil, true])
        #expect(
            await CommunityFixture.code { try await community.findMembers("", for: ana, after: "?") } == .invalidCursor)
        try await fixture.database.write { db in
            try db.execute("UPDATE account SET state = 'suspended' WHERE usernameKey = 'anabel'")
        }
        #expect(try await found("an", by: ana) == ["ana"], "who is suspended is not found")
    }

    @Test func theSearchUsesAnIndex() async throws {
        let statement = ProfileRows.search("an", after: nil, reader: nil, seesAll: false, limit: 20)
        let plan = try await fixture.database.read { db in try db.plan(of: statement.sql, statement.arguments) }.joined(
            separator: "\n")
        #expect(
            plan.contains("account_state") || plan.contains("usernameKey") || plan.contains("usernamekey"), "\(plan)")
    }
}
