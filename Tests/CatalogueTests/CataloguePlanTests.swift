import Database
import DatabaseTestSupport
import Testing

@testable import Catalogue

/// Every list and look-up uses an index, on both engines.
@Suite(.eachEngine) struct CataloguePlanTests {
    private static let queries: [(name: String, sql: String, arguments: [SQLValue])] = [
        ("an ID", "\(TitleRecord.selection) WHERE id = ?1", ["t"]),
        ("a file", "\(TitleRecord.selection) WHERE file = ?1", ["t"]),
        ("a name", "SELECT 1 FROM title WHERE sortKey = ?1 AND file <> ?2 LIMIT 1", ["a", "b"]),
        ("the newest", "\(TitleRecord.selection) WHERE state = 'ready' ORDER BY number DESC LIMIT ?1", [20]),
        ("a batch", "\(TitleRecord.selection) WHERE number > ?1 ORDER BY number LIMIT 2000", [5]),
        ("a job", "\(JobRecord.selection) WHERE number = ?1", [5]),
        ("the jobs", "\(JobRecord.selection) WHERE number < ?1 ORDER BY number DESC LIMIT ?2", [50, 20]),
        ("a digest", "\(ContentDigest.selection) WHERE section = ?1 AND subject = ?2", ["vod", "t"]),
        ("a former name", "SELECT subject FROM formerFile WHERE section = ?1 AND file = ?2", ["title", "t"]),
        ("duplicates", "SELECT id FROM title WHERE duplicateOf = ?1 ORDER BY number LIMIT 1", ["t"]),
    ]

    private let place: TestDatabase

    init() throws { place = try TestDatabase() }

    /// Enough rows that PostgreSQL's planner prefers an index wherever there is one.
    private func filledDatabase() async throws -> any SQLDatabase {
        _ = try Catalogue.open(place)
        let database = try await place.open()
        try await database.write(durability: .onDisk, within: .seconds(60)) { db in
            let integer = db.dialect == .sqlite ? "INTEGER" : "BIGINT"
            try db.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
                INSERT INTO title(id, title, file, sourcePath, state, byteCount, modifiedAt, revision, addedAt, sortKey)
                SELECT 't' || i, 'Title ' || i, 'f' || i, '/f', CASE WHEN i % 50 = 0 THEN 'failed' ELSE 'ready' END,
                    1, '2026-01-01 00:00:00.000', 'r', '2026-01-01 00:00:00.000', 'title ' || i FROM n
                """)
            try db.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
                INSERT INTO job(number, kind, file, state, attempt, priority, createdAt)
                SELECT CAST(i AS \(integer)), 'title', 'f', 'ready', 1, 0, '2026-01-01 00:00:00.000' FROM n
                """)
            for table in ["contentDigest", "formerFile"] {
                let columns =
                    table == "formerFile" ? "section, file, subject" : "section, subject, revision, byteCount, sample"
                let values = table == "formerFile" ? "'title', 'f' || i, 't'" : "'vod', 't' || i, 'r', 1, 's' || i"
                try db.execute(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
                    INSERT INTO \(table)(\(columns)) SELECT \(values) FROM n
                    """)
            }
            try CatalogueSchema.schema.rebuildDerivedTables(db)
            try db.execute("ANALYZE")
        }
        return database
    }

    @Test func listsAndLookUpsUseAnIndex() async throws {
        let database = try await filledDatabase()
        try await checkQueries(database)
        try await checkPages(database)
        try await checkSearch(database)
    }

    private func checkQueries(_ database: any SQLDatabase) async throws {
        for query in Self.queries {
            let plan = try await database.read { db in try db.plan(of: query.sql, query.arguments) }
            #expect(Self.usesIndex(plan), "\(query.name): \(plan)")
        }
    }

    /// Pages do not sort, either.
    private func checkPages(_ database: any SQLDatabase) async throws {
        let cursor = PageCursor(sortKey: "title 5", id: "t5").text
        for after in [nil, cursor] {
            let statement = try #require(try PageStatement<TitleRecord>(nil, after, 20, database.dialect))
            let plan = try await database.read { db in try db.plan(of: statement.sql, statement.arguments) }
            #expect(Self.usesIndex(plan), "\(plan)")
            #expect(!plan.contains { $0.contains("Sort") || $0.contains("TEMP B-TREE") }, "\(plan)")
        }
    }

    /// A search for a rare word does not read the table.
    private func checkSearch(_ database: any SQLDatabase) async throws {
        let statement = try #require(try PageStatement<TitleRecord>("9999", nil, 20, database.dialect))
        let plan = try await database.read { db in try db.plan(of: statement.sql, statement.arguments) }
        #expect(
            !plan.contains { $0.contains("Seq Scan") || $0.hasPrefix("SCAN title") && !$0.contains("INDEX") }, "\(plan)"
        )
    }

    private static func usesIndex(_ plan: [String]) -> Bool {
        // SQLite: "SEARCH title USING INDEX …"; PostgreSQL: "Index Scan using …", "Bitmap Index Scan on …".
        plan.contains { $0.contains("USING") || $0.contains("Index") } && !plan.contains { $0.contains("Seq Scan") }
    }
}
