import DatabaseTestSupport
import TestSupport
import Testing

@testable import Database

/// A disk that is full: a call says so, nothing of it stays, and the next one works when there is room again.
@Suite(.eachEngine) struct FullDiskTests {
    private let place: TestDatabase

    init() throws { place = try TestDatabase() }

    /// Lets the engine answer as on a full disk.
    private static func fill(_ database: any SQLDatabase) async throws {
        try await database.write { db in
            switch db.dialect {
            case .sqlite: _ = try db.firstValue("PRAGMA max_page_count = 1") as Int64?
            case .postgreSQL:
                try db.execute(
                    """
                    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        RAISE EXCEPTION USING MESSAGE = 'could not extend file', ERRCODE = '53100';
                    END $$
                    """)
                try db.execute("CREATE TRIGGER refuse BEFORE INSERT ON t FOR EACH STATEMENT EXECUTE FUNCTION refuse()")
            }
        }
    }

    private static func makeRoom(_ database: any SQLDatabase) async throws {
        try await database.write { db in
            switch db.dialect {
            case .sqlite: _ = try db.firstValue("PRAGMA max_page_count = 1000000") as Int64?
            case .postgreSQL: try db.execute("DROP TRIGGER refuse ON t")
            }
        }
    }

    private static func insert(_ database: any SQLDatabase) async throws {
        try await database.write { db in
            try db.execute("INSERT INTO t(x) VALUES (?1)", .blob([UInt8](repeating: 1, count: 100_000)))
        }
    }

    @Test func aChangeIsRefusedAndWorksWhenThereIsRoomAgain() async throws {
        let database = try await place.open()
        try await database.write { db in try db.execute("CREATE TABLE t(x \(db.dialect.name(of: .blob)))") }
        try await Self.fill(database)
        let error = await #expect(throws: SQLError.self) { try await Self.insert(database) }
        #expect(error?.code == .diskFull)
        #expect(error?.reason.contains("Make room on") == true)
        #expect(try await database.read { db in try !db.exists("SELECT 1 FROM t") }, "reading goes on")
        try await Self.makeRoom(database)
        try await Self.insert(database)
    }

    @Test func backgroundWorkWaitsUntilThereIsRoom() async throws {
        let database = try await place.open()
        try await database.write { db in try db.execute("CREATE TABLE t(x \(db.dialect.name(of: .blob)))") }
        try await Self.fill(database)
        let waits = Counter()
        let patient = PatientDatabase(database) { _ in _ = waits.increment() }
        let work = Task { try await PatientDatabase.$waitsForAnswer.withValue(true) { try await Self.insert(patient) } }
        try await eventually("it waits") { waits.value == 1 ? () : nil }
        try await Self.makeRoom(database)
        try await work.value
        #expect(try await database.read { db in try db.exists("SELECT 1 FROM t") })
    }
}
