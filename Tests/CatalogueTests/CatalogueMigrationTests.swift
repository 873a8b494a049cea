import Database
import DatabaseTestSupport
import LibraryDetails
import MediaCore
import Testing

@testable import Catalogue

/// Two versions of the program on one database.
@Suite(.eachEngine) struct CatalogueMigrationTests {
    private let place: TestDatabase

    init() throws { place = try TestDatabase() }

    /// A search as the version with the first migration only has it.
    private static func firstSearch(_ dialect: SQLDialect) -> String {
        switch dialect {
        case .sqlite: "SELECT rowid FROM titleSearch WHERE titleSearch MATCH ?1 ORDER BY rowid"
        case .postgreSQL:
            """
            SELECT rowid FROM titleSearch
            WHERE array_to_tsvector(array_remove(string_to_array(text, ' '), '')) @@ ?1::tsquery ORDER BY rowid
            """
        }
    }

    @Test func theVersionBeforeWorksBesideThisOne() async throws {
        var before = CatalogueSchema.schema
        before.migrations.removeLast(before.migrations.count - 1)
        let old = try await place.open()
        try await SQLMigrator(before, program: "0.0.1").applyMigrations(old)
        try await old.write { db in try TitleRecord.sample("one", title: "Straße").insertAsBefore(db) }

        let catalogue = try Catalogue.open(place)
        // The version before writes the same columns, and knows no others.
        try await old.write { db in try TitleRecord.sample("two", title: "Straßen").insertAsBefore(db) }
        try await catalogue.save(TitleRecord.sample("three", title: "strasse 3"))

        let found = try await catalogue.titles(matching: "STRASSE", after: nil, limit: 10)
        #expect(found.items.map(\.id) == ["one", "three", "two"])
        // What it writes is what the file says, and can be changed.
        let chosen = try await catalogue.chooseDetails(ofTitle: "two", version: nil) { $0[.year] = .number(1999) }
        #expect(chosen?.layers.file.text(.title) == "Straßen")
        try await old.write { db in try db.execute("UPDATE title SET title = 'Gasse' WHERE id = 'two'") }
        let renamed = try await catalogue.title(id: "two")
        #expect(renamed?.title == "Gasse")
        #expect(renamed?.details.number(.year) == 1999)
        try await SQLMigrator(before, program: "0.0.1").migrate(old)
        let query = try #require(FullTextQuery("strasse", maximumWordCount: 1))
        let numbers = try await old.read { db in
            try db.rows(Self.firstSearch(db.dialect), [query.argument(for: db.dialect)]) { try $0.value(0) as Int64 }
        }
        #expect(numbers == [1, 2, 3])
    }
}

extension TitleRecord {
    /// Inserts the record with the columns that the first migration has.
    fileprivate func insertAsBefore(_ db: any SQLConnection) throws {
        let values = values.filter { !["details", "fileDetails"].contains($0.key) }
        let number = try db.first(
            """
            INSERT INTO title(\(values.map(\.key).joined(separator: ", ")))
            VALUES (\(SQLParameters.list(values.count))) RETURNING number
            """, values.map(\.value)
        ) { row in try row.value(0) as Int64 }
        try db.execute(
            "INSERT INTO titleSearch(rowid, text) VALUES (?1, ?2)", SQLValue(number), .text(indexedText))
    }
}
