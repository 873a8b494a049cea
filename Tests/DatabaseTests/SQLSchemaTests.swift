import Database
import DatabaseTestSupport
import Testing

/// The consequences of a table's declaration.
@Suite(.eachEngine) struct SQLSchemaTests {
    private let place: TestDatabase

    init() throws { place = try TestDatabase() }

    private static func notes(_ more: SQLColumn..., indexes: [SQLIndex] = []) -> SQLTable {
        SQLTable("note", [.identity("number"), .text("name", .unique)] + more, indexes: indexes)
    }

    private func migrate(_ schema: SQLSchema, program: String = "1") async throws -> any SQLDatabase {
        let database = try await place.open()
        try await SQLMigrator(schema, program: program).migrate(database)
        return database
    }

    private func structure(_ database: any SQLDatabase) async throws -> Set<String> {
        try await database.read(within: .seconds(60)) { db in try DatabaseStructure(db).lines }
    }

    /// The only change is the declaration of the column.
    @Test func aColumnThatIsDeclaredIsAddedToAnOldDatabase() async throws {
        let before = SQLSchema(domain: "test", tables: [Self.notes()])
        let after = SQLSchema(
            domain: "test", tables: [Self.notes(.text("colour", .default("red"), .since(2)))])
        #expect(before.version == 1 && after.version == 2)
        let old = try await migrate(before)
        try await old.write { db in _ = try db.insert(["name": "a"], into: before.tables[0]) }

        let database = try await migrate(after)
        try await database.write { db in
            _ = try db.insert(["name": "b", "colour": "blue"], into: after.tables[0])
            // A server of the version before names the columns that it knows.
            _ = try db.insert(["name": "c"], into: before.tables[0])
        }
        let rows = try await database.read { db in
            try db.rows("SELECT \(after.tables[0].columnList) FROM note ORDER BY number") { row in
                "\(try row.value("number") as Int) \(try row.value("name") as String) \(try row.value("colour") as String)"
            }
        }
        #expect(rows == ["1 a red", "2 b blue", "3 c red"])
        try await SQLMigrator(before, program: "1").migrate(old)

        let new = try TestDatabase()
        let created = try await new.open()
        try await SQLMigrator(after, program: "1").migrate(created)
        #expect(try await structure(created) == structure(database))
    }

    @Test func tablesAndIndexesThatAreDeclaredAreAdded() async throws {
        let before = SQLSchema(domain: "test", tables: [Self.notes()])
        let tags = SQLTable(
            "tag",
            [
                .integer("note", .references("note", "number", .cascade)), .text("tag"),
                .integer("weight", .optional, .check("weight > 0"), .since(3)),
            ], key: ["note", "tag"], indexes: [SQLIndex("tag_tag", "tag", since: 3)], since: 2)
        let notes = Self.notes(
            .integer("size", .optional, .since(3)),
            indexes: [
                SQLIndex("note_size", "size", "number", where: "size IS NOT NULL", since: 3),
                .unique("note_twice", "name", "size", since: 4),
            ])
        let after = SQLSchema(domain: "test", tables: [notes, tags])
        #expect(after.migrations.map(\.version) == [1, 2, 3, 4])
        #expect(after.migrations[2].name == "note.size, tag.weight, note_size, tag_tag")
        _ = try await migrate(before)
        let database = try await migrate(after)

        let new = try TestDatabase()
        let created = try await new.open()
        try await SQLMigrator(after, program: "1").migrate(created)
        #expect(try await structure(created) == structure(database))
        let report = try await DatabaseReport(of: database, schemas: [after], checksIntegrity: false)
        #expect(report.problems.isEmpty && report.migrations.count == 4)
    }

    @Test func aStepFillsWhatItAdds() async throws {
        let before = SQLSchema(domain: "test", tables: [Self.notes()])
        let after = SQLSchema(
            domain: "test",
            migrations: [
                .adding(2, "lengths", oldestCompatibleVersion: 2) { db in
                    try db.execute("UPDATE note SET size = length(name)")
                }
            ], tables: [Self.notes(.integer("size", .optional, .since(2)))])
        let old = try await migrate(before)
        try await old.write { db in _ = try db.insert(["name": "abc"], into: before.tables[0]) }
        let database = try await migrate(after)
        let size: Int64? = try await database.read { db in try db.firstValue("SELECT size FROM note") }
        #expect(size == 3)
        await #expect(throws: SQLError.self) { try await SQLMigrator(before, program: "1").migrate(old) }
    }

    @Test func severalProgramsMayCreateTheTablesAtOnce() async throws {
        let schema = SQLSchema(
            domain: "test", tables: [Self.notes(.text("colour", .default("red"), .since(2)))])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { _ = try await migrate(schema) } }
            try await group.waitForAll()
        }
        let report = try await DatabaseReport(of: try await place.open(), schemas: [schema], checksIntegrity: false)
        #expect(report.problems.isEmpty && report.migrations.map(\.version) == [1, 2])
    }

    @Test func theCheckFindsColumnsAndIndexesThatAreMissing() async throws {
        let schema = SQLSchema(
            domain: "test", tables: [Self.notes(.integer("size", .optional), indexes: [SQLIndex("note_size", "size")])])
        let database = try await migrate(schema)
        try await database.write { db in
            try db.execute("DROP INDEX note_size")
            try db.execute("ALTER TABLE note DROP COLUMN size")
        }
        let report = try await DatabaseReport(of: database, schemas: [schema], checksIntegrity: false)
        #expect(
            report.problems == [
                "the column size of note is missing; start the server once to migrate",
                "the index note_size is missing or not valid; lists are slow without it",
            ])
    }

    @Test func columnsAreReadByTheirNamesInAnyCaseAndOrder() async throws {
        let schema = SQLSchema(domain: "test", tables: [Self.notes(.integer("pageCount", .optional))])
        let database = try await migrate(schema)
        try await database.write { db in
            for number in 1...3 {
                _ = try db.insert(["name": .text("n\(number)"), "pageCount": SQLValue(number)], into: schema.tables[0])
            }
        }
        let rows = try await database.read { db in
            try db.rows(
                """
                SELECT \(schema.tables[0].columnList(of: "n", without: "number")), upper(n.name) AS "inCapitals"
                FROM note AS n ORDER BY number
                """
            ) { row in
                // Every other row in another order.
                let isOdd = try row.value("PAGECOUNT") % 2 == 1
                let count: Int = isOdd ? try row.value("pageCount") : 0
                return "\(try row.value("incapitals") as String) \(try row.value("name") as String) \(count)"
            }
        }
        #expect(rows == ["N1 n1 1", "N2 n2 0", "N3 n3 3"])
    }

    @Test func theErrorNamesAColumnThatIsMissingOrNull() async throws {
        let schema = SQLSchema(domain: "test", tables: [Self.notes(.integer("size", .optional))])
        let database = try await migrate(schema)
        try await database.write { db in _ = try db.insert(["name": "a"], into: schema.tables[0]) }
        func reason(_ column: String) async throws -> String? {
            let error = await #expect(throws: SQLError.self) {
                try await database.read { db in
                    _ = try db.first("SELECT name, size FROM note") { row in try row.value(column) as Int64 }
                }
            }
            return error?.reason
        }
        #expect(try await reason("colour")?.contains("no column `colour`; it gives name, size") == true)
        #expect(try await reason("size") == "column `size` of a row is NULL; run `antena database check`")
        #expect(try await reason("name")?.contains("`name` of a row is not of type integer") == true)
    }

    @Test func rowsAreInsertedAndReplacedByTheirKeys() async throws {
        let words = SQLTable("word", [.text("id"), .text("text", .default("?")), .integer("count")], key: ["id"])
        let database = try await migrate(SQLSchema(domain: "test", tables: [words]))
        try await database.write { db in
            try db.upsert(["id": "a", "text": "one", "count": 1], into: words)
            try db.upsert(["id": "a", "count": 2], into: words)
            try db.upsert(["id": "b", "count": 3], into: words)
        }
        let rows = try await database.read { db in
            try db.rows("SELECT \(words.columnList) FROM word ORDER BY id") { row in try row.values(of: words) }
        }
        #expect(rows == [["a", "one", 2], ["b", "?", 3]])
    }
}
