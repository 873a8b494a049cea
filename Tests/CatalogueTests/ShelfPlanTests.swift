import Database
import DatabaseTestSupport
import MediaCore
import Testing

@testable import Catalogue

/// Every list of every shelf is read from an index, on both engines.
@Suite(.eachEngine) struct ShelfPlanTests {
    private static let since = WallClockTime(millisecondsSince1970: 1)

    private func filledDatabase(_ place: TestDatabase) async throws -> any SQLDatabase {
        _ = try Catalogue.open(place)
        let database = try await place.open()
        try await database.write(durability: .onDisk, within: .seconds(60)) { db in
            let integer = db.dialect.name(of: .integer)
            try db.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
                INSERT INTO title(id, title, file, sourcePath, state, byteCount, modifiedAt, revision, addedAt, sortKey)
                SELECT 't' || i, 'Title ' || i, 'f' || i, '/f', 'ready', 1, '2026-01-01 00:00:00.000', 'r',
                    '2026-01-01 00:00:00.000', 'title ' || i FROM n
                """)
            for shelf in ["all", "free", "genre:drama"] {
                try db.execute(
                    """
                    INSERT INTO titleShelf(
                        shelf, titleNumber, label, addedAt, price, rating, voteCount, sortKey)
                    SELECT '\(shelf)', number, '', number, CAST(number % 50 AS \(integer)),
                        CAST(number % 9000 AS \(integer)), CAST(number % 7 AS \(integer)), sortKey FROM title
                    """)
            }
            for table in ["title", "titleShelf"] where db.dialect == .postgreSQL { try db.execute("ANALYZE \(table)") }
        }
        return database
    }

    @Test func listsWalkAnIndex() async throws {
        let place = try TestDatabase()
        let database = try await filledDatabase(place)
        let cursors = ShelfOrder.allCases.map { order in
            ShelfCursor(
                order: order == .relevance ? .title : order, isWalk: true,
                keys: (order == .relevance ? ShelfOrder.title : order).columns.map { column in
                    column.kind == .text ? .text("title 5") : .integer(5)
                }, number: 5
            ).text
        }
        for (order, end) in zip(ShelfOrder.allCases, cursors) {
            for (section, genre) in [
                (TitleSection?.none, String?.none), (.free, nil), (nil, "Drama"), (.free, "Drama"),
            ] {
                for cursor in [nil, end] {
                    let query = ShelfQuery(section: section, genre: genre, order: order, newSince: Self.since)
                    let page = try #require(try ShelfPage(query, cursor, 20, database.dialect))
                    let statement = page.statement(.walk)
                    let plan = try await database.read { db in try db.plan(of: statement.sql, statement.arguments) }
                    let text = plan.joined(separator: "\n")
                    let name = "\(order) \(section.map { "\($0)" } ?? "-") \(genre ?? "-"): \(text)"
                    let index =
                        switch order {
                        case .newest: "titleshelf_newest"
                        case .title, .relevance: "titleshelf_order"
                        case .price: "titleshelf_price"
                        case .rating: "titleshelf_rating"
                        }
                    #expect(text.lowercased().contains(index), "\(name)")
                    #expect(!text.contains("SCAN title") && !text.contains("Seq Scan"), "\(name)")
                }
            }
        }
    }

    /// A search for a common word looks up the first rows of the shelf. If they do not fill a page, it reads what
    /// matches.
    @Test func commonWordsAreLookedUp() async throws {
        let place = try TestDatabase()
        let database = try await filledDatabase(place)
        try await database.write(durability: .onDisk, within: .seconds(60)) { db in
            // In the order of titles only the last rows have the second word.
            try db.execute(
                """
                INSERT INTO titleSearch(rowid, text)
                SELECT number, CASE WHEN sortKey >= 'title 8' THEN 'title late' ELSE 'title' END FROM title
                """)
        }
        for order in [ShelfOrder.title, .relevance] {
            for (text, isFull) in [("title", true), ("late", false)] {
                let query = ShelfQuery(matching: text, order: order, newSince: Self.since)
                let page = try #require(try ShelfPage(query, nil, 20, database.dialect))
                let (beginning, walk) = (page.statement(.beginning), page.statement(.walk))
                try await database.read { db in
                    #expect(try page.plan(db) == .walk)
                    let plan = try db.plan(of: beginning.sql, beginning.arguments).joined(separator: "\n").lowercased()
                    #expect(plan.contains("titleshelf_order") && !plan.contains("seq scan"), "\(plan)")
                    let first = try db.rows(beginning.sql, beginning.arguments) { try $0.value(1) as String }
                    let all = try db.rows(walk.sql, walk.arguments) { try $0.value(1) as String }
                    #expect(all.count == 21 && first == (isFull ? all : []), "\(order) \(text)")
                    #expect(try page.rows(db).map(\.title.record.id) == all)
                }
            }
        }
    }
}
