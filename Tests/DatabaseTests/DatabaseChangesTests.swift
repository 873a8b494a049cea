import DatabaseTestSupport
import Dispatch
import Testing

@testable import Database

/// A follower of a database gets everybody's changes, and nothing else.
@Suite(.eachEngine) struct DatabaseChangesTests {
    private let place: TestDatabase

    init() throws { place = try TestDatabase() }

    private func open() async throws -> any SQLDatabase {
        let database = try await place.open()
        try await database.write { db in try db.execute("CREATE TABLE item(size \(db.dialect.name(of: .integer)))") }
        return database
    }

    private static func insert(into database: any SQLDatabase, _ durability: SQLDurability = .onDisk) async throws {
        try await database.write(durability: durability) { db in try db.execute("INSERT INTO item VALUES (1)") }
    }

    @Test func theMarkerChangesWithEachChangeOfAnybodyAndWithNothingElse() async throws {
        let (own, other) = (try await open(), try await place.open())
        var last = try await own.commitMarker()
        func isNew() async throws -> Bool {
            let marker = try await own.commitMarker()
            defer { last = marker }
            return marker != last
        }
        #expect(try await !isNew())
        try await Self.insert(into: own)
        #expect(try await isNew())
        try await Self.insert(into: other)
        #expect(try await isNew())
        try await Self.insert(into: other, .soon)
        #expect(try await isNew())
        _ = try await own.read { db in try db.firstValue("SELECT count(*) FROM item") as Int? }
        _ = try await other.read { db in try db.firstValue("SELECT count(*) FROM item") as Int? }
        // Other tests change other schemas of the same PostgreSQL server.
        if own.dialect == .sqlite { #expect(try await !isNew()) }
        await own.close()
        await #expect(throws: SQLError.self) { try await own.commitMarker() }
    }

    /// A transaction that had begun before the question, and is committed after it, is news for the next one.
    @Test func aChangeThatTakesLongIsNotMissed() async throws {
        let (own, other) = (try await open(), try await place.open())
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let asked = DispatchSemaphore(value: 0)
        async let writing: Void = other.write { db in
            try db.execute("INSERT INTO item VALUES (1)")
            beginning.yield()
            // The thread is the database's, so it may wait.
            asked.wait()
        }
        var beginnings = begun.makeAsyncIterator()
        await beginnings.next()
        let marker = try await own.commitMarker()
        asked.signal()
        try await writing
        #expect(try await own.commitMarker() != marker)
    }

    @Test func followersAreToldAtOnceAfterChangesAndNowAndThen() async throws {
        let database = try await open()
        let changes = DatabaseChanges(database)
        await changes.look()
        let told = Told(changes.follow(atLeastEvery: DatabaseChanges.interval * 3))
        #expect(await told.next(), "at once")
        try await Self.insert(into: database)
        await changes.look()
        #expect(await told.next(), "after a change")
        changes.signal()
        #expect(await told.next(), "when the settings have changed")
        for _ in 0..<3 { await changes.look() }
        #expect(await told.next(), "after the longest pause")
    }

    @Test func theWatchTellsOfChanges() async throws {
        let (database, other) = (try await open(), try await place.open())
        let changes = DatabaseChanges(database)
        let watching = Task { await changes.run() }
        let told = Told(changes.follow(atLeastEvery: .seconds(3_600)))
        #expect(await told.next(), "at once")
        #expect(await told.next(), "after the first answer")
        for database in [database, other] {
            try await Self.insert(into: database)
            #expect(await told.next())
        }
        watching.cancel()
        await watching.value
        while await told.next() {}
        #expect(changes.followerCount == 0)
    }

    @Test func followersAreToldEachTimeWhileTheDatabaseIsAway() async throws {
        let database = try await open()
        let changes = DatabaseChanges(database)
        let told = Told(changes.follow(atLeastEvery: .seconds(3_600)))
        #expect(await told.next())
        await database.close()
        for _ in 0..<3 {
            await changes.look()
            #expect(await told.next())
        }
    }

    @Test func aFollowerThatLeavesIsForgottenAndAllOthersEndWithTheWatch() async throws {
        let changes = DatabaseChanges(try await open())
        let leaving = Task { [stream = changes.follow(atLeastEvery: .seconds(1))] in for await _ in stream {} }
        leaving.cancel()
        await leaving.value
        #expect(changes.followerCount == 0)
        let staying = changes.follow(atLeastEvery: .seconds(1))
        let watching = Task { await changes.run() }
        watching.cancel()
        await watching.value
        for await _ in staying {}
        #expect(changes.followerCount == 0)
    }

    /// The elements of a stream, one after the other.
    private final class Told {
        private var iterator: AsyncStream<Void>.Iterator

        init(_ stream: AsyncStream<Void>) { iterator = stream.makeAsyncIterator() }

        func next() async -> Bool { await iterator.next() != nil }
    }
}
