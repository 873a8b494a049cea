import Accounts
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Community

/// Competitions in the database. The clock of the fixture begins on 2026-01-01.
@Suite(.eachEngine, .timeLimit(.minutes(5)))
struct CompetitionTests {
    private let fixture: CommunityFixture
    private var community: Community { fixture.community }

    init() async throws { fixture = try await CommunityFixture() }

    private func make(
        _ name: String, _ first: String, _ count: Int = 1, zone: String = "Europe/Madrid", description: String = ""
    ) async throws -> Competition {
        try await community.createCompetition(
            name: name, description: description,
            schedule: try CompetitionScheduleTests.schedule(zone, first, count), by: fixture.operatorCaller)
    }

    private func names(
        _ filter: CompetitionFilter = CompetitionFilter(), limit: Int = 100
    ) async throws -> [String] {
        var (names, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = try await community.competitions(filter, after: cursor, limit: limit)
            names += page.items.map(\.name)
            cursor = page.next
        } while cursor != nil
        return names
    }

    @Test func aCompetitionIsReadAsItWasWritten() async throws {
        let made = try await make(
            " Rally  de\tOtoño\u{202E} ", "2026-10-24", 3, description: "Uno\r\nDos\u{1B}[31m\nTres")
        #expect(made.name == "Rally de Otoño" && made.description == "Uno\nDos [31m\nTres")
        let read = try await community.competition(made.id)
        #expect(read == made)
        #expect(read.revision == 1 && read.schedule.dayCount == 3 && read.schedule.firstDay.description == "2026-10-24")
        #expect(read.createdAt == fixture.clock.time)
        #expect(await CommunityFixture.code { try await community.competition(OpaqueID()) } == .notFound)
    }

    @Test func theVideosOfADeletedCompetitionStayWithoutADay() async throws {
        try await fixture.add("a")
        let made = try await make("Rally", "2026-01-01", 2)
        let ana = try await fixture.member("ana")
        let video = try await community.publish(
            VideoContents(name: "start", competition: made.id, day: 2), title: "a", by: ana)
        #expect(video.competition == made.id && video.day == 2)
        try await community.deleteCompetition(made.id, by: fixture.operatorCaller)
        let left = try await community.video(video.id, for: ana, maySeeHidden: false)
        #expect(left.competition == nil && left.day == nil && left.revision == 2)
        #expect(try await community.counterDifferences() == [])
        let changed = try await community.change(video.id, from: [2], by: ana, mayManage: false) { $0.name = "end" }
        #expect(changed.name == "end")
        try await fixture.database.write { db in
            try db.execute("UPDATE videoCount SET competition = 77, day = 3")
        }
        #expect(
            try await community.counterDifferences().map(\.counter).sorted()
                == ["videoCount.competition", "videoCount.day"], "a recount sees it")
    }

    @Test func textsHaveLimits() async throws {
        for (name, description, code) in [
            ("", "", .emptyField), (" \u{200B} ", "", .emptyField),
            (String(repeating: "x", count: 201), "", .invalidField),
            ("x", String(repeating: "y\n", count: 5_001), .invalidField),
        ] as [(String, String, Refusal.Code)] {
            let found = await CommunityFixture.code {
                try await make(name, "2026-07-17", description: description)
            }
            #expect(found == code, "\(name.prefix(10))")
        }
        _ = try await make(String(repeating: "x", count: 200), "2026-07-17")
        #expect(try await names().count == 1)
    }

    @Test func aListIsInTheOrderOfStarts() async throws {
        // The same date begins earlier in the east.
        _ = try await make("d", "2026-05-01", zone: "America/Santiago")
        _ = try await make("b", "2026-05-01", zone: "Asia/Tokyo")
        _ = try await make("c", "2026-05-01")
        _ = try await make("c2", "2026-05-01")
        _ = try await make("a", "1950-05-13")
        for limit in [1, 2, 3, 100] { #expect(try await names(limit: limit) == ["a", "b", "c", "c2", "d"]) }
        for cursor in ["x", "1", "1_", "1_2_3", "_", "99999999999999999999_1"] {
            let code = await CommunityFixture.code { try await community.competitions(after: cursor) }
            #expect(code == .invalidCursor, "\(cursor)")
        }
    }

    @Test func listsAreOfWhatIsOverOrNot() async throws {
        _ = try await make("long ago", "2025-06-01", 3)
        _ = try await make("just over", "2025-12-30", 2)
        _ = try await make("runs since long", "2025-11-10", 60)
        _ = try await make("today", "2026-01-01")
        _ = try await make("later", "2026-08-01")
        let now = community.now
        #expect(try await names(CompetitionFilter(.endingAfter(now))) == ["runs since long", "today", "later"])
        #expect(try await names(CompetitionFilter(.ended(by: now))) == ["long ago", "just over"])
        #expect(try await names(CompetitionFilter(.ended(by: now)), limit: 1) == ["long ago", "just over"])
        #expect(
            try await community.calendar().map(\.name)
                == ["long ago", "runs since long", "just over", "today", "later"])
        // Each is in one of the lists at any time, and its state agrees.
        for _ in 0..<60 {
            fixture.clock.advance(by: .seconds(86_400 / 2))
            let now = community.now
            let current = try await community.competitions(CompetitionFilter(.endingAfter(now))).items
            let over = try await community.competitions(CompetitionFilter(.ended(by: now))).items
            #expect(current.count + over.count == 5)
            #expect(current.allSatisfy { $0.state(at: now) != .finished })
            #expect(over.allSatisfy { $0.state(at: now) == .finished })
        }
    }

    @Test func aSearchIgnoresCaseAndAccents() async throws {
        _ = try await make("Rallye de España", "2026-05-01")
        _ = try await make("Große Straße", "2026-05-02")
        _ = try await make("100% _x_", "2026-05-03")
        for (text, found) in [
            ("ESPANA", ["Rallye de España"]), ("españa rally", ["Rallye de España"]), ("STRASSE", ["Große Straße"]),
            ("rallye straße", []), ("%", ["100% _x_"]), ("_", ["100% _x_"]), ("'", []),
            ("e", ["Rallye de España", "Große Straße"]),
        ] {
            #expect(try await names(CompetitionFilter(text: text)) == found, "\(text)")
        }
        // Both at once, in pages.
        let now = community.now
        #expect(
            try await names(CompetitionFilter(.endingAfter(now), text: "e"), limit: 1)
                == ["Rallye de España", "Große Straße"])
    }

    @Test func aChangeIsForTheVersionThatWasRead() async throws {
        let made = try await make("old", "2026-05-01", 2)
        fixture.clock.advance(by: .seconds(60))
        let moved = try CompetitionScheduleTests.schedule("Asia/Tokyo", "2026-06-01", 3)
        let changed = try await community.changeCompetition(made.id, from: [1], by: fixture.operatorCaller) {
            ($0.name, $0.schedule) = ("New", moved)
        }
        #expect(changed.revision == 2 && changed.name == "New" && changed.changedAt == fixture.clock.time)
        #expect(try await community.competition(made.id) == changed)
        let late = await CommunityFixture.code {
            try await community.changeCompetition(made.id, from: [1], by: fixture.operatorCaller) { $0.name = "late" }
        }
        #expect(late == .changedMeanwhile)
        let empty = await CommunityFixture.code {
            try await community.changeCompetition(made.id, from: nil, by: fixture.operatorCaller) { $0.name = " " }
        }
        #expect(empty == .emptyField)
        // Lists follow.
        _ = try await make("between", "2026-05-15")
        #expect(try await names() == ["between", "New"])
        #expect(try await names(CompetitionFilter(text: "old")) == [])
        // The audit log has each change once.
        let events: Int64? = try await fixture.database.read { db in
            try db.firstValue("SELECT COUNT(*) FROM auditEntry WHERE event = 'competition.changed'")
        }
        #expect(events == 3)
    }

    @Test func standingsAndImageBelongToTheVersion() async throws {
        let made = try await make("a", "2026-05-01")
        #expect(try await community.standings(of: made.id).standings.isEmpty)
        let table = try Standings(header: ["Pos", "Driver"], rows: [["1", "Ana"]])
        let changed = try await community.setStandings(table, of: made.id, from: [1], by: fixture.operatorCaller)
        #expect(changed.revision == 2)
        let read = try await community.standings(of: made.id)
        #expect(read.standings == table && read.competition == changed)
        let late = await CommunityFixture.code {
            try await community.setStandings(.empty, of: made.id, from: [1], by: fixture.operatorCaller)
        }
        #expect(late == .changedMeanwhile)
        let image = try #require(CompetitionImage(jpeg: [0xFF, 0xD8, 0xFF, 1]))
        let shown = try await community.setImage(image, ofCompetition: made.id, by: fixture.operatorCaller)
        #expect(shown.image == image.version && shown.revision == 3)
        #expect(try await community.image(ofCompetition: made.id) == image)
        // A change of the text leaves both.
        let renamed = try await community.changeCompetition(made.id, from: [3], by: fixture.operatorCaller) {
            $0.name = "b"
        }
        #expect(renamed.image == image.version)
        #expect(try await community.standings(of: made.id).standings == table)
        _ = try await community.setImage(nil, ofCompetition: made.id, by: fixture.operatorCaller)
        #expect(try await community.competition(made.id).image == nil)
        #expect(try await community.image(ofCompetition: made.id) == nil)
    }

    @Test func aDeletedCompetitionLeavesNothing() async throws {
        let (made, other) = (try await make("a", "2026-05-01"), try await make("b", "2026-05-01"))
        let image = try #require(CompetitionImage(jpeg: [0xFF, 0xD8, 0xFF, 1]))
        for id in [made.id, other.id] {
            _ = try await community.setImage(image, ofCompetition: id, by: fixture.operatorCaller)
        }
        let late = await CommunityFixture.code {
            try await community.deleteCompetition(made.id, from: [1], by: fixture.operatorCaller)
        }
        #expect(late == .changedMeanwhile)
        try await community.deleteCompetition(made.id, from: [2], by: fixture.operatorCaller)
        #expect(try await names() == ["b"])
        let images: Int64? = try await fixture.database.read { db in
            try db.firstValue("SELECT COUNT(*) FROM competitionImage")
        }
        #expect(images == 1)
        let again = await CommunityFixture.code {
            try await community.deleteCompetition(made.id, by: fixture.operatorCaller)
        }
        #expect(again == .notFound)
    }

    // MARK: Following

    @Test func aMemberFollowsACompetitionOnce() async throws {
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        let made = [
            try await make("a", "2026-05-01"), try await make("b", "2026-04-01"), try await make("c", "2026-06-01"),
        ]
        for competition in made { try await community.follow(competition.id, by: ana) }
        try await community.follow(made[0].id, by: ana)
        try await community.follow(made[0].id, by: eva)
        let user = try CommunityFixture.id(ana)
        let first = try await community.followedCompetitions(of: user, limit: 2)
        #expect(first.items.map(\.competition) == [made[2], made[1]])
        let second = try await community.followedCompetitions(of: user, after: first.next, limit: 2)
        #expect(second.items.map(\.competition) == [made[0]] && second.next == nil)
        #expect(try await community.follows(made[0].id, user))
        #expect(try await community.allFollowedCompetitions(of: user).count == 3)
        for cursor in ["x", "0", "-1"] {
            let code = await CommunityFixture.code {
                try await community.followedCompetitions(of: user, after: cursor)
            }
            #expect(code == .invalidCursor, "\(cursor)")
        }

        for _ in 0..<2 { try await community.unfollow(made[1].id, by: ana) }
        #expect(try await community.allFollowedCompetitions(of: user).map(\.competition.name) == ["c", "a"])
        // Nothing is left of a competition or an account.
        try await community.deleteCompetition(made[2].id, by: fixture.operatorCaller)
        #expect(try await community.allFollowedCompetitions(of: user).map(\.competition.name) == ["a"])
        _ = try await fixture.accounts.removeAccount(user, by: fixture.operatorCaller)
        let rows: Int64? = try await fixture.database.read { db in
            try db.firstValue("SELECT COUNT(*) FROM competitionFollow")
        }
        #expect(rows == 1)
        #expect(try await community.follows(made[0].id, try CommunityFixture.id(eva)))
    }

    @Test func followingNeedsAMemberAndACompetition() async throws {
        let made = try await make("a", "2026-05-01")
        let ana = try await fixture.member("ana")
        #expect(
            await CommunityFixture.code { try await community.follow(made.id, by: fixture.operatorCaller) }
                == .loginNeeded)
        #expect(await CommunityFixture.code { try await community.follow(OpaqueID(), by: ana) } == .notFound)
        #expect(await CommunityFixture.code { try await community.unfollow(OpaqueID(), by: ana) } == .notFound)
    }

    // MARK: Many

    private static let count = 9_999

    /// Adds competitions, one for each day from 2000 on.
    private func fill() async throws {
        try await fixture.database.write { db in
            try db.execute(
                """
                WITH RECURSIVE number(value) AS (
                    SELECT CAST(1 AS BIGINT) UNION ALL SELECT value + 1 FROM number WHERE value < ?1)
                INSERT INTO competition(
                    id, name, nameKey, description, timeZone, firstDay, dayCount, startsAt, endsAt, revision, createdAt,
                    changedAt, standings)
                SELECT '00000000000000000000' || (100000 + value), 'name ' || value, 'name ' || value, '', 'UTC',
                    10956 + value, 1, (10956 + value) * 86400000, (10957 + value) * 86400000, 1, 0, 0, '{"header":[],"rows":[]}'
                FROM number
                """, .integer(Int64(Self.count)))
            try db.execute(db.dialect == .sqlite ? "ANALYZE" : "ANALYZE competition")
        }
    }

    /// - Parameters:
    ///   - all: a member who follows all competitions.
    ///   - some: a member who follows few.
    private func checkFollows(all: UserID, some: UserID) async throws {
        let plan = try await fixture.database.write { db in
            for (user, count) in [(all, Self.count), (some, 3)] {
                try db.execute(
                    """
                    INSERT INTO competitionFollow(competition, userID, followedAt)
                    SELECT number, ?1, 0 FROM competition ORDER BY number LIMIT ?2
                    """, .text(user.text), SQLValue(count))
            }
            try db.execute(db.dialect == .sqlite ? "ANALYZE" : "ANALYZE competitionFollow")
            return try db.plan(of: CompetitionRows.followedQuery, [.text(some.text), .integer(.max), 20])
        }.joined(separator: "\n").lowercased()
        #expect(plan.contains("competitionfollow_user") && !plan.contains("seq scan"), "\(plan)")
    }

    @Test func listsUseAnIndexAndThereIsALimit() async throws {
        try await fill()
        let now = community.now
        let first = try await community.competitions(CompetitionFilter(.endingAfter(now)), limit: 1)
        let position = try CompetitionRows.Position(cursor: try #require(first.next))
        for period in [.any, .endingAfter(now), .ended(by: now)] as [CompetitionFilter.Period] {
            for text in [nil, "name 9"] {
                for after in [nil, position] {
                    let statement = CompetitionRows.list(
                        CompetitionFilter(period, text: text), after: after, limit: 21, fixture.database.dialect)
                    let plan = try await fixture.database.read { db in
                        try db.plan(of: statement.sql, statement.arguments)
                    }.joined(separator: "\n")
                    // A few rows may be found by the index and sorted: those of a search, and those that are not over.
                    #expect(plan.lowercased().contains("competition_start") || text != nil, "\(plan)")
                    #expect(
                        !plan.contains("TEMP B-TREE") && !plan.contains("Sort") || text != nil
                            || period == .endingAfter(now), "\(plan)")
                }
            }
        }
        let users = try [try await fixture.member("ana"), try await fixture.member("eva")].map(CommunityFixture.id)
        try await checkFollows(all: users[0], some: users[1])
        _ = try await make("the last one", "2026-05-01")
        #expect(await CommunityFixture.code { try await make("too many", "2026-05-01") } == .tooMany)
        #expect(try await names(CompetitionFilter(.any, text: "9999 name")) == ["name 9999"])
    }
}
