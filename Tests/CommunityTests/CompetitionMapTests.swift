import Accounts
import Catalogue
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Community

/// The maps of competitions in the database, and what is on them. The clock of the fixture begins on 2026-01-01.
@Suite(.eachEngine, .timeLimit(.minutes(5)))
struct CompetitionMapTests {
    private let fixture: CommunityFixture
    private var community: Community { fixture.community }

    init() async throws { fixture = try await CommunityFixture() }

    private func make() async throws -> Competition {
        try await community.createCompetition(
            name: "Rally", description: "",
            schedule: try CompetitionScheduleTests.schedule("Europe/Madrid", "2026-01-01", 2),
            by: fixture.operatorCaller)
    }

    private static func track() throws -> CompetitionMap {
        try CompetitionMap(lines: try GPXTrack.lines(of: Array(GPXTrackTests.rally.utf8)))
    }

    @Test func aMapIsReadAsItWasWrittenAndGoesWithTheCompetition() async throws {
        let made = try await make()
        #expect(made.map == nil)
        #expect(await CommunityFixture.code { try await community.map(of: made.id) } == .notFound)
        #expect(try await community.map(MapQuery(made.id, visible: nil, reader: nil)) == nil)
        let track = try Self.track()
        let set = try await community.setMap(track, ofCompetition: made.id, from: [1], by: fixture.operatorCaller)
        #expect(set.revision == 2 && set.map != nil)
        #expect(try await community.competition(made.id) == set)
        #expect(try await community.map(of: made.id).map == track)
        #expect(try await community.mapImage(ofCompetition: made.id) == nil)
        let code = await CommunityFixture.code {
            try await community.setMap(nil, ofCompetition: made.id, from: [1], by: fixture.operatorCaller)
        }
        #expect(code == .changedMeanwhile)
        // Other changes leave the map as it is.
        let renamed = try await community.changeCompetition(made.id, from: nil, by: fixture.operatorCaller) {
            $0.name = "Rallye"
        }
        #expect(renamed.map == set.map)

        let image = try #require(MapImage(jpeg: MapImageTests.jpeg(width: 80, height: 60)))
        let bounds = try #require(MapBounds(north: 44, west: -7, south: 43, east: -6))
        let drawn = try CompetitionMap(image, bounds: bounds)
        let changed = try await community.setMap(
            drawn, image: image, ofCompetition: made.id, by: fixture.operatorCaller)
        #expect(changed.map != set.map)
        #expect(try await community.mapImage(ofCompetition: made.id) == image)
        #expect(try await community.map(of: made.id).map == drawn)
        let removed = try await community.setMap(nil, ofCompetition: made.id, by: fixture.operatorCaller)
        #expect(removed.map == nil)
        #expect(try await community.mapImage(ofCompetition: made.id) == nil)

        _ = try await community.setMap(track, ofCompetition: made.id, by: fixture.operatorCaller)
        try await community.deleteCompetition(made.id, by: fixture.operatorCaller)
        let count: Int64? = try await fixture.database.read { db in
            try db.firstValue("SELECT COUNT(*) FROM competitionMap")
        }
        #expect(count == 0)
    }

    @Test func publicVideosWithAPlaceAreOnTheMap() async throws {
        let (made, ana, eva) = (try await make(), try await fixture.member("ana"), try await fixture.member("eva"))
        _ = try await community.setMap(try Self.track(), ofCompetition: made.id, by: fixture.operatorCaller)
        let place = GeographicPoint(latitude: 43.31, longitude: -6.3)
        func publish(
            _ title: String, _ place: GeographicPoint?, day: Int? = nil, visibility: VideoVisibility = .public,
            by caller: Caller, in competition: OpaqueID? = nil
        ) async throws -> Video {
            try await fixture.add(title)
            return try await community.publish(
                VideoContents(
                    name: title, competition: competition ?? made.id, day: day, place: place, visibility: visibility),
                title: title, by: caller)
        }
        func names(
            day: Int? = nil, reader: Caller? = nil, visible: RecordVisibility? = nil
        ) async throws -> [String] {
            let query = MapQuery(
                made.id, day: day, visible: visible, reader: try reader.map { try CommunityFixture.id($0) })
            return try await #require(community.map(query)).points.map(\.name)
        }
        let other = try await make()
        _ = try await publish("first", place, day: 1, by: ana)
        _ = try await publish("nowhere", nil, day: 1, by: ana)
        _ = try await publish("unlisted", place, visibility: .unlisted, by: ana)
        let reported = try await publish("reported", place, by: ana)
        _ = try await publish("elsewhere", place, by: ana, in: other.id)
        let second = try await publish("second", place, day: 2, by: eva)
        #expect(try await names() == ["second", "reported", "first"], "the newest one first")
        #expect(try await names(day: 1) == ["first"])
        #expect(try await names(day: 2) == ["second"])
        let found = try await #require(community.map(MapQuery(made.id, visible: nil, reader: nil)))
        #expect(found.points.first == MapPoint(video: second.id, name: "second", place: try #require(place)))
        #expect(found.map == (try Self.track()))

        try await fixture.database.write { db in
            try db.execute("UPDATE communityVideo SET state = 'hidden' WHERE id = ?1", .text(reported.id.text))
        }
        #expect(try await names() == ["second", "first"])
        _ = try await community.setBarrier(.block, true, "eva", by: ana)
        #expect(try await names(reader: ana) == ["first"])
        #expect(try await names(reader: eva) == ["second", "first"])
        try await fixture.database.write { db in
            try db.execute("UPDATE title SET state = 'failed' WHERE id = 'first'")
        }
        #expect(try await names() == ["second"])
        try await community.withdraw(second.id, by: eva, mayManage: false)
        #expect(try await names() == [])
    }

    @Test func aMapReadsTheNewestVideosByAnIndex() async throws {
        let made = try await make()
        _ = try await community.setMap(try Self.track(), ofCompetition: made.id, by: fixture.operatorCaller)
        let (count, now) = (MapPoint.maximumCount + 100, community.now)
        try await fixture.database.write(durability: .soon, within: .seconds(60)) { db in
            try db.execute(
                """
                WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?1)
                INSERT INTO title(id, title, sortKey, file, sourcePath, state, byteCount, modifiedAt, revision, addedAt)
                SELECT 't' || value, 't', 't', 't' || value, '/t', 'ready', 1, '2026-01-01 00:00:00.000', 'r',
                    '2026-01-01 00:00:00.000' FROM n
                """, SQLValue(count * 4))
            // A quarter of them has a place.
            try db.execute(
                """
                INSERT INTO communityVideo(id, titleNumber, name, text, tags, competition, day, visibility,
                    commentPolicy, state, latitude, longitude, publishedAt, changedAt, revision)
                SELECT SUBSTR('aaaaaaaaaaaaaaaaaaaaaaaaaa', 1, 26 - LENGTH(CAST(number AS TEXT))) || number, number, 'v', '',
                    '', competition.n, 1, 'public', 'open', 'shown', CASE WHEN title.number % 4 = 0 THEN 43.3 END,
                    -6.3, ?1, ?1, 1
                FROM title CROSS JOIN (SELECT number AS n FROM competition) AS competition ORDER BY number
                """, .time(now))
            let tables = db.dialect == .sqlite ? [""] : ["title", "communityVideo", "competition"]
            for table in tables { try db.execute("ANALYZE \(table)") }
        }
        let found = try await #require(community.map(MapQuery(made.id, visible: nil, reader: nil)))
        #expect(found.points.count == MapPoint.maximumCount)
        for day in [nil, 1] {
            let query = MapQuery(made.id, day: day, visible: nil, reader: nil)
            let statement = MapRows.shown(query, fixture.database.dialect)
            let plan = try await fixture.database.read { db in try db.plan(of: statement.sql, statement.arguments) }
            let text = plan.joined(separator: "\n")
            #expect(text.lowercased().contains("communityvideo_places"), "\(text)")
            #expect(!text.contains("TEMP B-TREE"), "\(text)")
        }
    }
}
