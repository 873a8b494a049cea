import Accounts
import Catalogue
import Community
import Database
import DatabaseTestSupport
import GatewayTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Notifications

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct FanOutTests {
    private let fixture: NotificationsFixture
    private var notifications: Notifications { fixture.notifications }
    private var community: Community { fixture.community }

    init() async throws { fixture = try await NotificationsFixture(batchSize: 2) }

    private func member(_ name: String) async throws -> Caller { try await fixture.member(name) }

    @Test func everybodyIsToldOfAVideoOnceAndItsOwnerNever() async throws {
        let (ana, eva, leo) = (try await member("ana"), try await member("eva"), try await member("leo"))
        _ = try await community.setFollow(true, "ana", by: eva)
        let video = try await fixture.publish("a", by: ana)
        #expect(try await fixture.told(leo).isEmpty)
        try await notifications.tellAll()
        try await notifications.tellAll()
        #expect(try await fixture.kinds(ana) == [.follower])
        #expect(try await fixture.kinds(eva) == [.followedVideo])
        #expect(try await fixture.kinds(leo) == [.newVideo])
        let told = try #require(try await fixture.told(leo).first)
        #expect(told.count == 1 && told.readAt == nil && told.items.map(\.video?.id) == [video.id])
        #expect(told.items.first?.actor == "ana" && told.items.first?.video?.name == "a")
        #expect(try await fixture.unread(leo) == 1)
        #expect(try await notifications.waitingCount() == 0)
    }

    @Test func nobodyIsToldOfWhatSomebodyDoesWhomTheyMute() async throws {
        let (ana, eva, leo) = (try await member("ana"), try await member("eva"), try await member("leo"))
        let video = try await fixture.publish("a", by: ana)
        try await notifications.tellAll()
        _ = try await community.setBarrier(.mute, true, "eva", by: ana)
        _ = try await community.setBarrier(.mute, true, "eva", by: leo)
        _ = try await community.setLike(true, of: video.id, by: eva)
        _ = try await community.comment("hello", on: video.id, by: eva, isModerator: false)
        _ = try await community.setFollow(true, "ana", by: eva)
        _ = try await fixture.publish("b", by: eva)
        try await notifications.tellAll()
        #expect(try await fixture.told(ana).isEmpty)
        #expect(try await fixture.told(leo).map(\.count) == [1])
    }

    @Test func manyVideosOfAWindowAreOneNotification() async throws {
        let (ana, leo) = (try await member("ana"), try await member("leo"))
        // A member publishes at most 100 videos in a day; the station as many as it wants.
        for number in 0..<120 { _ = try await fixture.publish("t\(number)", by: fixture.operatorCaller) }
        try await notifications.tellAll()
        let told = try await fixture.told(leo)
        #expect(told.map(\.count) == [120])
        #expect(told.first?.items.map(\.video?.name) == ["t119", "t118", "t117"])
        #expect(try await fixture.unread(leo) == 1)
        #expect(try await fixture.told(ana).count == 1)
        fixture.clock.advance(by: .seconds(3_600))
        _ = try await fixture.publish("later", by: ana)
        try await notifications.tellAll()
        #expect(try await fixture.told(leo).map(\.count) == [1, 120])
    }

    @Test func aFanOutThatStopsGoesOnWithoutDoubles() async throws {
        let ana = try await member("ana")
        var others: [Caller] = []
        for number in 0..<7 { others.append(try await member("member\(number)")) }
        _ = try await fixture.publish("a", by: ana)
        let now = fixture.clock.time
        let due = try await fixture.database.read { db in try DeedRows.due(at: now, limit: 10, db) }
        let number = try #require(due.first)
        #expect(try await notifications.step(number) == .goesOn)
        // Another server begins where this one was killed.
        let second = try await Notifications.open(
            fixture.database, program: "test", accounts: fixture.accounts, key: NotificationsFixture.key,
            wallClock: fixture.clock.wallClock, batchSize: 3)
        try await second.tellAll()
        #expect(try await second.step(number) == .finished)
        for other in others { #expect(try await fixture.told(other).map(\.count) == [1]) }
    }

    @Test func twoServersAtTheSameTimeTellOnce() async throws {
        let ana = try await member("ana")
        var others: [Caller] = []
        for number in 0..<9 { others.append(try await member("member\(number)")) }
        let second = try await Notifications.open(
            fixture.database, program: "test", accounts: fixture.accounts, key: NotificationsFixture.key,
            wallClock: fixture.clock.wallClock, batchSize: 2)
        for title in ["a", "b", "c"] { _ = try await fixture.publish(title, by: ana) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for server in [notifications, second] { group.addTask { try await server.tellAll() } }
            try await group.waitForAll()
        }
        for other in others { #expect(try await fixture.told(other).map(\.count) == [3]) }
    }

    @Test func whatIsOutOfSightBeforeTheFanOutTellsNobody() async throws {
        let (ana, leo) = (try await member("ana"), try await member("leo"))
        let unlisted = try await fixture.publish("a", by: ana) { $0.visibility = .unlisted }
        let changed = try await fixture.publish("b", by: ana)
        let withdrawn = try await fixture.publish("c", by: ana)
        _ = try await community.change(changed.id, from: nil, by: ana, mayManage: false) { $0.visibility = .unlisted }
        try await community.withdraw(withdrawn.id, by: ana, mayManage: false)
        let comment = try await community.comment("hello", on: changed.id, by: leo, isModerator: false)
        try await community.deleteComment(comment.id, by: leo, isModerator: false)
        try await notifications.tellAll()
        #expect(try await fixture.told(leo).isEmpty)
        #expect(try await fixture.told(ana).isEmpty)
        // What becomes public tells, once.
        for _ in 0..<2 {
            for visibility in [VideoVisibility.public, .unlisted, .public] {
                for video in [unlisted, changed] {
                    _ = try await community.change(video.id, from: nil, by: ana, mayManage: false) {
                        $0.visibility = visibility
                    }
                }
            }
            try await notifications.tellAll()
        }
        #expect(try await fixture.told(leo).map(\.count) == [2])
    }

    @Test func aVideoWhoseTitleIsNotReadyTellsWhenItPlays() async throws {
        let (ana, leo) = (try await member("ana"), try await member("leo"))
        _ = try await fixture.publish("a", by: ana)
        try await fixture.database.write { db in try db.execute("UPDATE title SET state = 'working'") }
        try await notifications.tellAll()
        #expect(try await fixture.told(leo).isEmpty)
        try await fixture.database.write { db in try db.execute("UPDATE title SET state = 'ready'") }
        fixture.clock.advance(by: FanOut.readinessInterval)
        try await notifications.tellAll()
        #expect(try await fixture.kinds(leo) == [.newVideo])
    }

    @Test func likesCommentsAnswersAndFollowersAreToldToWhomTheyConcern() async throws {
        let (ana, eva, leo) = (try await member("ana"), try await member("eva"), try await member("leo"))
        let video = try await fixture.publish("a", by: ana)
        try await notifications.tellAll()
        _ = try await community.setFollow(true, "eva", by: leo)
        _ = try await community.setLike(true, of: video.id, by: eva)
        _ = try await community.setLike(true, of: video.id, by: ana)
        let question = try await community.comment("who?", on: video.id, by: eva, isModerator: false)
        fixture.clock.advance(by: .seconds(1))
        let answer = try await community.comment("me", parent: question.id, on: video.id, by: ana, isModerator: false)
        try await notifications.tellAll()
        // A like that is taken back and given again is the same.
        for isLiked in [false, true] { _ = try await community.setLike(isLiked, of: video.id, by: eva) }
        try await notifications.tellAll()
        #expect(Set(try await fixture.kinds(ana)) == [.like, .comment])
        #expect(try await fixture.told(ana).allSatisfy { $0.count == 1 })
        #expect(Set(try await fixture.kinds(eva)) == [.newVideo, .follower, .reply])
        #expect(Set(try await fixture.kinds(leo)) == [.newVideo, .followedLike])
        let reply = try #require(try await fixture.told(eva).first { $0.kind == .reply })
        #expect(reply.items.first?.comment == answer.id && reply.items.first?.video?.id == video.id)
    }

    @Test func preferencesDecide() async throws {
        let (ana, eva, leo) = (try await member("ana"), try await member("eva"), try await member("leo"))
        for (caller, group) in [(eva, NotificationGroup.newVideos), (leo, .followed)] {
            _ = try await community.setFollow(true, "ana", by: caller)
            _ = try await notifications.changePreferences(of: try NotificationsFixture.id(caller)) { $0[group] = [] }
        }
        _ = try await fixture.publish("a", by: ana)
        try await notifications.tellAll()
        #expect(try await fixture.kinds(eva) == [.followedVideo])
        // A member who does not want to be told of those they follow still gets to know that there is something new.
        #expect(try await fixture.kinds(leo) == [.newVideo])
        _ = try await notifications.changePreferences(of: try NotificationsFixture.id(leo)) { $0[.newVideos] = [.mail] }
        fixture.clock.advance(by: .seconds(3_600))
        _ = try await fixture.publish("b", by: ana)
        try await notifications.tellAll()
        // By mail only: it is not in the list, and does not count.
        #expect(try await fixture.kinds(leo) == [.newVideo])
        #expect(try await fixture.unread(leo) == 1)
    }

    @Test func decisionsRentalsAndChannelsAreToldOnce() async throws {
        let (ana, eva) = (try await member("ana"), try await member("eva"))
        let moderator = try await fixture.member("mod", role: .moderator)
        let video = try await fixture.publish("a", by: ana)
        try await community.report(.video, video.id, .spam, text: "", by: eva)
        _ = try await community.decide(.hidden, note: "", .video, video.id, by: moderator, mayManage: true)
        let rental = EndingRental(
            id: OpaqueID(), renter: try NotificationsFixture.id(eva), title: "film", name: "The film")
        for _ in 0..<2 {
            try await notifications.note([rental])
            try await notifications.note([(channel: "canalA", title: "Canal A", number: 7)], through: 7)
            try await notifications.tellAll()
        }
        let own = try await fixture.told(ana)
        #expect(Set(own.map(\.kind)) == [.decision, .channelLive, .reported])
        #expect(own.first { $0.kind == .decision }?.items.first?.decision == "hidden")
        let told = try await fixture.told(eva)
        #expect(Set(told.map(\.kind)) == [.rentalEnding, .channelLive] && told.allSatisfy { $0.count == 1 })
        #expect(told.first { $0.kind == .rentalEnding }?.items.first?.name == "The film")
        let live = try #require(told.first { $0.kind == .channelLive }?.items.first)
        #expect(live.name == "Canal A" && live.channel == "canalA")
    }

    @Test func aTitleThatIsForFewTellsThoseOnly() async throws {
        let (ana, eva, leo) = (try await member("ana"), try await member("eva"), try await member("leo"))
        _ = try await fixture.publish("a", by: ana)
        var audiences = AudienceRules()
        audiences.channels = ["canalA": .invited]
        fixture.accounts.audiences = audiences
        try await notifications.note([(channel: "canalA", title: nil, number: 1)], through: 1)
        try await notifications.tellAll()
        for caller in [eva, leo] { #expect(try await fixture.kinds(caller) == [.newVideo]) }
    }

    @Test func competitionsTellTheirFollowers() async throws {
        let (ana, eva, leo) = (try await member("ana"), try await member("eva"), try await member("leo"))
        let competition = try await fixture.competition()
        try await community.follow(competition.id, by: eva)
        _ = try await fixture.publish("a", by: ana) { ($0.competition, $0.day) = (competition.id, 1) }
        try await notifications.tellAll()
        #expect(try await fixture.kinds(eva) == [.competitionVideo])
        #expect(try await fixture.kinds(leo) == [.newVideo])
        let item = try #require(try await fixture.told(eva).first?.items.first?.video)
        #expect(item.competition == competition.id && item.day == 1)
    }

    /// The transaction that publishes writes one row, however many followers there are. The times are printed, not
    /// compared.
    @Test func publishingWritesOneRowForTenThousandFollowers() async throws {
        let ana = try await member("ana")
        let (owner, count) = (try NotificationsFixture.id(ana), 10_000)
        for start in stride(from: 0, to: count, by: 1_000) {
            try await fixture.database.write(durability: .onDisk, within: SQLTimeLimit.maintenance) { db in
                for number in start..<(start + 1_000) {
                    let user = UserID()
                    try db.execute(
                        """
                        INSERT INTO account(id, username, usernameKey, role, state, createdAt, revision)
                        VALUES (?1, ?2, ?2, 'member', 'active', 0, 1)
                        """, .text(user.text), .text("follower\(number)"))
                    try db.execute(
                        "INSERT INTO memberFollow(follower, followed, followedAt) VALUES (?1, ?2, 0)",
                        .text(user.text), .text(owner.text))
                }
            }
        }
        let clock = ContinuousClock()
        var publishing: [Duration] = []
        for number in 0..<10 {
            _ = try await fixture.catalogue.add(InMemoryContent.title("t\(number)"))
            publishing.append(
                try await clock.measure {
                    _ = try await community.publish(VideoContents(name: "t"), title: "t\(number)", by: ana)
                })
        }
        func notificationCount() async throws -> Int64? {
            try await fixture.database.read { db in try db.firstValue("SELECT COUNT(*) FROM notification") }
        }
        #expect(try await notifications.waitingCount() == 10)
        #expect(try await notificationCount() == 0)
        // One of them is enough to be told of.
        try await fixture.database.write { db in
            try db.execute(
                """
                UPDATE notificationDeed SET state = 'done'
                WHERE number > (SELECT MIN(first.number) FROM notificationDeed AS first)
                """)
        }
        let server = try await Notifications.open(
            fixture.database, program: "test", accounts: fixture.accounts, key: NotificationsFixture.key,
            wallClock: fixture.clock.wallClock)
        let telling = try await clock.measure { try await server.tellAll() }
        #expect(try await notificationCount() == Int64(count))
        print("\(fixture.database.dialect): publishing at most \(publishing.max() ?? .zero), telling \(telling)")
    }
}
