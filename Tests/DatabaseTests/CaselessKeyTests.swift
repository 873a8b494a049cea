import Database
import DatabaseTestSupport
import Testing

@Suite(.eachEngine) struct CaselessKeyTests {
    private let place: TestDatabase

    init() throws { place = try TestDatabase() }

    private func open() async throws -> any SQLDatabase {
        let database = try await place.open()
        let people = SQLTable("person", [.identity("number"), .text("name"), .caselessKey("nameKey")])
        try await SQLMigrator(SQLSchema(domain: "test", tables: [people]), program: "1").migrate(database)
        return database
    }

    private static func add(_ name: String, _ db: any SQLConnection) throws {
        try db.execute("INSERT INTO person(name, nameKey) VALUES (?1, ?2)", .text(name), .caseless(name))
    }

    @Test(arguments: [
        ("ana@example.org", "Ana@Example.ORG"), ("Ñandú", "ñANDÚ"), ("straße", "STRASSE"), ("ΟΔΌΣ", "οδός"),
        ("ΣΟΦΟΣ", "σοφος"), ("ПЁТР", "пётр"), ("İrem", "i\u{307}rem"), ("e\u{301}va", "ÉVA"), ("ﬁn", "FIN"),
        ("ǅ", "ǆ"),
    ])
    func namesThatDifferInCaseAreOne(stored: String, typed: String) async throws {
        let database = try await open()
        try await database.write { db in try Self.add(stored, db) }
        let found: String? = try await database.read { db in
            try db.firstValue("SELECT name FROM person WHERE nameKey = ?1", .caseless(typed))
        }
        #expect(found == stored)
        let error = await #expect(throws: SQLError.self) {
            try await database.write { db in try Self.add(typed, db) }
        }
        #expect(error?.code == .constraint)
    }

    @Test(arguments: [("Jose", "José"), ("admın", "admin"), ("a", "а"), ("ana", "ana ")])
    func otherNamesAreOthers(first: String, second: String) async throws {
        let database = try await open()
        try await database.write { db in
            try Self.add(first, db)
            try Self.add(second, db)
        }
        let count: Int64? = try await database.read { db in try db.firstValue("SELECT count(*) FROM person") }
        #expect(count == 2)
    }

    @Test func aLookUpUsesTheIndex() async throws {
        let database = try await open()
        let plan = try await database.write { db in
            for number in 0..<500 { try Self.add("person \(number)", db) }
            try db.execute("ANALYZE person")
            return try db.plan(of: "SELECT number FROM person WHERE nameKey = ?1", [.caseless("PERSON 7")])
        }
        #expect(plan.contains { $0.contains(" INDEX ") || $0.contains("Index") }, "\(plan)")
    }
}
