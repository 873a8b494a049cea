import Database
import DatabaseTestSupport
import MediaCore
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
        (
            "a record to replace", "SELECT number FROM title WHERE id = ?1 AND revision = ?2 AND file = ?3",
            ["t5", "r", "f5"]
        ),
        (
            "a record by a former name",
            "\(TitleRecord.selection) WHERE id = (SELECT subject FROM formerFile WHERE section = ?1 AND file = ?2)",
            ["title", "f5"]
        ),
        (
            "titles without a storyboard",
            """
            \(TitleRecord.selection) WHERE number > ?1 AND state = 'ready' AND videoCodec IS NOT NULL
                AND storyboard IS NULL ORDER BY number LIMIT ?2
            """, [9_990, 10]
        ),
        (
            "files without a digest",
            """
            SELECT number FROM title AS record WHERE number > ?1 AND state = 'ready' AND NOT EXISTS (
                SELECT 1 FROM contentDigest AS digest WHERE digest.section = ?2 AND digest.subject = record.id
                    AND digest.revision = record.revision) ORDER BY number LIMIT ?3
            """, [9_990, "vod", 10]
        ),
        (
            "digests of the same sample",
            """
            SELECT digest.subject FROM contentDigest AS digest
            JOIN title AS record ON record.id = digest.subject AND record.revision = digest.revision
            WHERE digest.section = ?1 AND digest.byteCount = ?2 AND digest.sample = ?3 AND digest.original IS NULL
            ORDER BY record.number LIMIT 32
            """, ["vod", 1, "s5"]
        ),
        (
            "copies of an original", "SELECT subject FROM contentDigest WHERE section = ?1 AND original = ?2",
            ["vod", "t5"]
        ),
        (
            "former names of a record", "SELECT file FROM formerFile WHERE section = ?1 AND subject = ?2",
            ["title", "t5"]
        ),
        ("the words of a record", "SELECT text FROM titleSearch WHERE rowid = ?1", [5]),
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
                let values = table == "formerFile" ? "'title', 'f' || i, 't' || i" : "'vod', 't' || i, 'r', 1, 's' || i"
                try db.execute(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
                    INSERT INTO \(table)(\(columns)) SELECT \(values) FROM n
                    """)
            }
            try CatalogueSchema.schema.rebuildDerivedTables(db)
            // On PostgreSQL the bare statement reads the tables of all tests.
            let tables = db.dialect == .sqlite ? [""] : CatalogueSchema.schema.tables.map(\.name)
            for table in tables { try db.execute("ANALYZE \(table)") }
        }
        return database
    }

    @Test func listsAndLookUpsUseAnIndex() async throws {
        let database = try await filledDatabase()
        try await checkQueries(database)
        try await checkPages(database)
        try await checkSearch(database)
        try await checkPagesOfSearch(database)
    }

    private func checkQueries(_ database: any SQLDatabase) async throws {
        for query in Self.queries {
            let plan = try await database.read { db in try db.plan(of: query.sql, query.arguments) }
            #expect(Self.usesIndex(plan), "\(query.name): \(plan)")
        }
    }

    /// Pages do not sort, either, whatever they leave out.
    private func checkPages(_ database: any SQLDatabase) async throws {
        for order in RecordOrder.allCases {
            let cursor = PageCursor(order: order, key: order == .title ? "title 5" : "5", id: "t5").text
            for after in [nil, cursor] {
                for wanted in Self.queries(order) {
                    let query = try #require(try PageQuery<TitleRecord>(wanted, after, 20, database.dialect))
                    let statement = query.statement(.list)
                    let plan = try await database.read { db in try db.plan(of: statement.sql, statement.arguments) }
                    let sorts = plan.contains { $0.contains("Sort") || $0.contains("TEMP B-TREE") }
                    #expect(!sorts && !plan.contains { $0.contains("Seq Scan on title") }, "\(wanted): \(plan)")
                }
            }
        }
    }

    private static func queries(_ order: RecordOrder) -> [RecordQuery] {
        let visibilities = [
            nil, RecordVisibility(showsUnset: true, audiences: []),
            RecordVisibility(showsUnset: true, audiences: [.members], account: "ana"),
        ]
        return [nil, TitleState.ready].flatMap { state in
            [nil, TitleKind.film].flatMap { kind in
                visibilities.map { RecordQuery(order: order, state: state, kind: kind, visible: $0) }
            }
        }
    }

    /// A search reads the words from their index. It then reads the few records that match, or walks the index of the
    /// list, and both find the same.
    private func checkSearch(_ database: any SQLDatabase) async throws {
        let cursor = PageCursor(key: "title 5", id: "t5").text
        for (text, plan) in [
            ("9999", .searchWithFewMatches), ("99", .searchWithFewMatches), ("title", .searchWithManyMatches),
            ("t", .searchWithManyMatches), ("f1 title", .searchWithManyMatches),
        ] as [(String, PageQuery<TitleRecord>.Plan)] {
            for after in [nil, cursor] {
                let query = try #require(
                    try PageQuery<TitleRecord>(RecordQuery(matching: text), after, 20, database.dialect))
                let few = query.statement(.searchWithFewMatches)
                let many = query.statement(.searchWithManyMatches)
                try await database.read { db in
                    #expect(try query.plan(db) == plan)
                    let fewPlan = try db.plan(of: few.sql, few.arguments).joined(separator: "\n").lowercased()
                    #expect(!fewPlan.contains("seq scan on titlesearch"), "\(fewPlan)")
                    #expect(!fewPlan.contains("using index title_order"), "\(fewPlan)")
                    let manyPlan = try db.plan(of: many.sql, many.arguments).joined(separator: "\n").lowercased()
                    #expect(!manyPlan.contains("seq scan"), "\(manyPlan)")
                    #expect(manyPlan.contains("title_order"), "\(manyPlan)")
                    let found = try db.rows(many.sql, many.arguments) { try $0.value(1) as String }
                    #expect(!found.isEmpty || after != nil)
                    let beginning = query.statement(.searchInBeginning)
                    let walked = try db.plan(of: beginning.sql, beginning.arguments).joined(separator: "\n")
                        .lowercased()
                    #expect(!walked.contains("seq scan") && walked.contains("title_order"), "\(walked)")
                    let first = try db.rows(beginning.sql, beginning.arguments) { try $0.value(1) as String }
                    #expect(first == Array(found.prefix(first.count)))
                    if ["title", "t"].contains(text), after == nil { #expect(first == found) }
                    if plan == .searchWithFewMatches {
                        #expect(try db.rows(few.sql, few.arguments) { try $0.value(1) as String } == found)
                    }
                    let counting = try db.plan(of: query.countStatement, [few.arguments[0]])
                    #expect(Self.usesIndex(counting), "\(counting)")
                }
            }
        }
    }

    /// Pages of a search for a common word follow each other as those of the list do.
    private func checkPagesOfSearch(_ database: any SQLDatabase) async throws {
        let catalogue = try Catalogue.open(place)
        for text in ["title", "99"] {
            var found: [String] = []
            var cursor: String?
            repeat {
                let page = try await catalogue.titles(matching: text, after: cursor, limit: 200)
                found += page.items.map(\.id)
                cursor = page.next
            } while cursor != nil
            let expected = try await database.read { db in
                try db.rows(
                    "SELECT id FROM title WHERE title || ' ' || file LIKE ?1 ORDER BY sortKey, id",
                    [.text(text == "title" ? "%" : "% 99%")]
                ) { try $0.value(0) as String }
            }
            #expect(found == expected)
        }
    }

    private static func usesIndex(_ plan: [String]) -> Bool {
        // SQLite: "SEARCH title USING INDEX …", "SCAN titleSearch VIRTUAL TABLE INDEX …"; PostgreSQL: "Index Scan using
        // …", "Bitmap Index Scan on …".
        plan.contains { $0.contains("USING") || $0.contains("VIRTUAL TABLE INDEX") || $0.contains("Index") }
            && !plan.contains { $0.contains("Seq Scan") }
    }
}
