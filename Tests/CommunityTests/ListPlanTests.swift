import Accounts
import Catalogue
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Community

/// How the engines carry out the lists of videos: by walking an index in the order of the list, without sorting.
@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct ListPlanTests {
    private static let videoCount = 3_000

    private func filled() async throws -> CommunityFixture {
        let fixture = try await CommunityFixture()
        let (ana, now) = (try CommunityFixture.id(try await fixture.member("ana")), fixture.community.now)
        try await fixture.database.write(durability: .soon, within: .seconds(60)) { db in
            try db.execute(
                """
                INSERT INTO competition(id, name, nameKey, description, timeZone, firstDay, dayCount, startsAt, endsAt,
                    revision, createdAt, changedAt, standings)
                VALUES ('rally', 'Rally', 'rally', '', 'UTC', 0, 3, 0, 1, 1, 0, 0, '')
                """)
            try db.execute(
                """
                WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?1)
                INSERT INTO title(id, title, sortKey, file, sourcePath, state, byteCount, modifiedAt, revision, addedAt)
                SELECT 't' || value, 't', 't', 't' || value, '/t', 'ready', 1, '2026-01-01 00:00:00.000', 'r',
                    '2026-01-01 00:00:00.000' FROM n
                """, SQLValue(Self.videoCount))
            try db.execute(
                """
                INSERT INTO communityVideo(id, titleNumber, ownerID, name, text, tags, competition, day, visibility,
                    commentPolicy, state, publishedAt, changedAt, revision)
                SELECT 'v' || number, number, ?1, 'v', '', '', 1, number % 3 + 1, 'public', 'open', 'shown', ?2, ?2, 1
                FROM title
                """, .text(ana.text), .time(now))
            try db.execute(
                """
                INSERT INTO videoCount(video, isListed, ownerID, competition, day, likes, comments, views)
                SELECT number, 1, ownerID, competition, day, number % 50, 0, 0 FROM communityVideo
                """)
            // Without names PostgreSQL looks at the tables of all tests.
            let tables = db.dialect == .sqlite ? [""] : ["title", "communityVideo", "videoCount"]
            for table in tables { try db.execute("ANALYZE \(table)") }
        }
        return fixture
    }

    @Test func everyListWalksAnIndex() async throws {
        let fixture = try await filled()
        let ana = try await fixture.community.member(named: "ana")
        let competition = OpaqueID()
        let scopes: [VideoQuery.Scope] = [
            .all, .member(ana), .competition(competition, day: nil), .competition(competition, day: 2), .feed(of: ana),
        ]
        for scope in scopes {
            for order in VideoQuery.Order.allCases {
                let keys = order == .newest ? ["2000"] : ["20", "2000"]
                let cursor = try VideoCursor(
                    parsing: ListCursor("videos.\(order.rawValue)", keys).text, order: order)
                for start in [nil, cursor] {
                    let list = VideoList(
                        VideoQuery(scope, order: order, reader: ana), words: nil, after: start, limit: 21,
                        isFeedSparse: false, fixture.database.dialect)
                    let plan = try await fixture.database.read { db in try db.plan(of: list.sql, list.arguments) }
                    let text = plan.joined(separator: "\n")
                    // SQLite walks the rows themselves in the order of their numbers.
                    let isWalk = text.lowercased().contains("videocount_") || text.contains("SCAN c")
                    #expect(isWalk, "\(scope) \(order): \(text)")
                    #expect(!text.contains("TEMP B-TREE"), "\(scope) \(order): \(text)")
                    #expect(!text.contains("Sort"), "\(scope) \(order): \(text)")
                }
            }
        }
    }

    /// However many videos have the words of a search, no way to them reads the counters of all videos.
    @Test func searchesReadNoWholeTable() async throws {
        let fixture = try await filled()
        try await fixture.database.write(durability: .soon, within: .seconds(60)) { db in
            let text = "CASE WHEN number % 3 = 0 THEN 'stage rare' ELSE 'stage' END"
            try db.execute("INSERT INTO communityVideoText(rowid, text) SELECT number, \(text) FROM communityVideo")
        }
        for order in VideoQuery.Order.allCases {
            for (text, isRare) in [("stage", false), ("rare", true)] {
                let words = try #require(VideoText.query(text))
                try await fixture.database.read { db in
                    #expect(try VideoList.areRare(words, db) == isRare)
                    var found: [[Int64]] = []
                    for search in VideoList.Search.allCases where isRare || search != .few {
                        let list = VideoList(
                            VideoQuery(order: order), words: words, after: nil, limit: 21, isFeedSparse: false,
                            search: search, db.dialect)
                        let plan = try db.plan(of: list.sql, list.arguments).joined(separator: "\n").lowercased()
                        if search != .many { #expect(!plan.contains("seq scan on videocount"), "\(search): \(plan)") }
                        if search == .few, db.dialect == .sqlite {
                            #expect(plan.contains("search c using integer primary key"), "\(plan)")
                        }
                        found.append(try db.rows(list.sql, list.arguments) { try $0.value(0) })
                    }
                    #expect(Set(found).count == 1 && found[0].count == 21, "\(order) \(text)")
                }
            }
        }
    }
}
