import Database
import DatabaseTestSupport
import MediaCore
import Testing

@Suite(.eachEngine) struct MeasuredDatabaseTests {
    @Test func callsAreCountedByWhatTheyDo() async throws {
        let place = try TestDatabase()
        let statistics = DatabaseStatistics()
        let database = MeasuredDatabase(try await place.open(), statistics: statistics)
        let integer = database.dialect.name(of: .integer)
        try await database.write { db in try db.execute("CREATE TABLE item(number \(integer) PRIMARY KEY)") }
        try await database.write { db in try db.execute("INSERT INTO item(number) VALUES (1)") }
        let count: Int64? = try await database.read { db in try db.firstValue("SELECT count(*) FROM item") }
        #expect(count == 1)
        #expect(statistics.writes.snapshot.count == 2 && statistics.reads.snapshot.count == 1)
        #expect(statistics.failureCount == 0)
    }

    @Test func aRefusedChangeIsNoFailureOfTheDatabaseAndAClosedOneIs() async throws {
        let place = try TestDatabase()
        let statistics = DatabaseStatistics()
        let database = MeasuredDatabase(try await place.open(), statistics: statistics)
        let integer = database.dialect.name(of: .integer)
        try await database.write { db in try db.execute("CREATE TABLE item(number \(integer) PRIMARY KEY)") }
        await #expect(throws: SQLError.self) {
            try await database.write { db in try db.execute("INSERT INTO item(number) VALUES (1), (1)") }
        }
        #expect(statistics.failureCount == 0 && statistics.writes.snapshot.count == 2)
        await database.close()
        await #expect(throws: SQLError.self) { try await database.read { _ in } }
        #expect(statistics.failureCount == 1 && statistics.reads.snapshot.count == 1)
    }
}
