import Database
import DatabaseTestSupport
import Synchronization
import Testing

/// The guarantees of both engines.
@Suite(.eachEngine) struct SQLDatabaseTests {
    private let place: TestDatabase

    init() throws { place = try TestDatabase() }

    private func open() async throws -> any SQLDatabase {
        let database = try await place.open()
        try await database.write { db in
            let dialect = db.dialect
            try db.execute(
                """
                CREATE TABLE item(
                    number \(dialect.identityColumn), name \(dialect.name(of: .text)) NOT NULL UNIQUE,
                    size \(dialect.name(of: .integer)), share \(dialect.name(of: .real)),
                    content \(dialect.name(of: .blob)))
                """)
        }
        return database
    }

    private static func insert(_ name: String, _ size: Int64? = nil, _ db: any SQLConnection) throws {
        try db.execute("INSERT INTO item(name, size) VALUES (?1, ?2)", .text(name), SQLValue(size))
    }

    private struct GivenUp: Error {}

    /// Others see the rows when the call comes, and nobody is called for a transaction that is given up.
    @Test func whatWaitsForTheCommitIsCalledAfterIt() async throws {
        let database = try await open()
        let (calls, told) = AsyncStream.makeStream(of: String.self)
        async let missing = {
            var missing: [String] = []
            for await name in calls {
                let isThere = try await database.read { db in
                    try db.exists("SELECT 1 FROM item WHERE name = ?1", .text(name))
                }
                if !isThere { missing.append(name) }
            }
            return missing
        }()
        let count = Mutex(0)
        for number in 0..<20 {
            try await database.write(durability: number.isMultiple(of: 2) ? .onDisk : .soon) { db in
                db.afterCommit {
                    count.withLock { $0 += 1 }
                    told.yield("\(number)")
                }
                try Self.insert("\(number)", nil, db)
            }
            #expect(count.withLock { $0 } == number + 1, "it was called before the change returns")
        }
        await #expect(throws: GivenUp.self) {
            try await database.write { db in
                db.afterCommit { told.yield("given up") }
                throw GivenUp()
            }
        }
        try await database.write { db in try Self.insert("next", nil, db) }
        told.finish()
        #expect(try await missing == [])
        #expect(count.withLock { $0 } == 20)
    }

    @Test func valuesComeBackAsTheyWere() async throws {
        let database = try await open()
        let text = "it's “ñ” ? \\ \u{1F3AC} $1"
        let row = try await database.write { db in
            try db.execute(
                "INSERT INTO item(name, size, share, content) VALUES (?1, ?2, ?3, ?4)", .text(text),
                .integer(.min), .real(0.1), .blob([0, 255, 39, 92]))
            return try db.first("SELECT name, size, share, content FROM item WHERE name = ?1", [.text(text)]) { row in
                (
                    try row.value(0) as String, try row.value(1) as Int64, try row.value(2) as Double,
                    try row.value(3) as [UInt8]
                )
            }
        }
        let found = try #require(row)
        #expect(found.0 == text && found.1 == .min && found.2 == 0.1 && found.3 == [0, 255, 39, 92])
    }

    @Test func nullIsNoValue() async throws {
        let database = try await open()
        try await database.write { db in try Self.insert("a", nil, db) }
        let size: Int64? = try await database.read { db in try db.firstValue("SELECT size FROM item") }
        #expect(size == nil)
        let error = await #expect(throws: SQLError.self) {
            try await database.read { db in
                _ = try db.first("SELECT size FROM item") { row in try row.value(0) as Int64 }
            }
        }
        #expect(error?.code == .unexpectedValue)
    }

    @Test func aValueOfAnotherTypeIsAnErrorAndNoTrap() async throws {
        let database = try await open()
        try await database.write { db in try Self.insert("a", 1, db) }
        for column in [0, 7, -1] {
            let error = await #expect(throws: SQLError.self) {
                try await database.read { db in
                    _ = try db.first("SELECT name FROM item") { row in try row.value(column) as Int64 }
                }
            }
            #expect(error?.code == .unexpectedValue)
        }
    }

    /// PostgreSQL cannot store a NUL, and SQLite's functions end there.
    @Test func textEndsAtItsFirstNUL() async throws {
        let database = try await open()
        try await database.write { db in try Self.insert("a\0b", nil, db) }
        let name: String? = try await database.read { db in try db.firstValue("SELECT name FROM item") }
        #expect(name == "a")
    }

    @Test func aTransactionThatThrowsChangesNothing() async throws {
        struct Stop: Error {}
        let database = try await open()
        for durability in [SQLDurability.onDisk, .soon] {
            await #expect(throws: Stop.self) {
                try await database.write(durability: durability) { db in
                    try Self.insert("a", nil, db)
                    throw Stop()
                }
            }
        }
        #expect(try await database.read { db in try !db.exists("SELECT 1 FROM item") })
    }

    @Test func aStatementThatFailsInsideACatchingClosureIsNotForgotten() async throws {
        let database = try await open()
        try await database.write { db in try Self.insert("a", nil, db) }
        let outcome = await Result {
            try await database.write { db in
                try? Self.insert("a", nil, db)
                try Self.insert("b", nil, db)
            }
        }
        let names = try await database.read { db in
            try db.rows("SELECT name FROM item ORDER BY name") { try $0.value(0) as String }
        }
        // SQLite goes on after a refused statement, PostgreSQL gives the transaction up: either says so.
        switch outcome {
        case .success: #expect(names == ["a", "b"])
        case .failure: #expect(names == ["a"])
        }
    }

    @Test func aRefusedChangeSaysSo() async throws {
        let database = try await open()
        try await database.write { db in try Self.insert("a", nil, db) }
        let error = await #expect(throws: SQLError.self) {
            try await database.write { db in try Self.insert("a", nil, db) }
        }
        #expect(error?.code == .constraint)
    }

    @Test func aMistakeInAStatementIsAnError() async throws {
        let database = try await open()
        let error = await #expect(throws: SQLError.self) {
            try await database.read { db in _ = try db.exists("SELECT nothing FROM nowhere") }
        }
        #expect(error?.code == .failed)
        #expect(try await database.read { db in try !db.exists("SELECT 1 FROM item") }, "and the next call works")
    }

    @Test func countsOfWritersAddUp() async throws {
        let database = try await open()
        try await database.write { db in try Self.insert("counter", 0, db) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await database.write(durability: .onDisk, within: .seconds(20)) { db in
                        // Read and written by the closure, which is safe because transactions do not overlap.
                        let size: Int64 = try db.firstValue("SELECT size FROM item") ?? 0
                        try db.execute("UPDATE item SET size = ?1", .integer(size + 1))
                    }
                }
            }
            try await group.waitForAll()
        }
        let size: Int64? = try await database.read { db in try db.firstValue("SELECT size FROM item") }
        #expect(size == 20)
    }

    /// PostgreSQL takes changes of different rows of one index page for changes of the same row.
    @Test func changesOfDifferentRowsAllSucceed() async throws {
        let database = try await open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    try await database.write(durability: .soon, within: .seconds(30)) { db in
                        let name = "item \(number)"
                        let isThere = try db.exists("SELECT 1 FROM item WHERE name = ?1", .text(name))
                        if !isThere { try Self.insert(name, Int64(number), db) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let count: Int64? = try await database.read { db in try db.firstValue("SELECT count(*) FROM item") }
        #expect(count == 200)
    }

    @Test func aReaderSeesOneState() async throws {
        let database = try await open()
        try await database.write { db in try Self.insert("a", 1, db) }
        let counts = try await database.read { db in
            let before: Int64? = try db.firstValue("SELECT count(*) FROM item")
            let done = OneShot()
            // From another task, while this reader's transaction is open.
            _ = Task {
                try? await database.write { db in try Self.insert("b", 2, db) }
                done.signal()
            }
            done.wait()
            return (before, try db.firstValue("SELECT count(*) FROM item") as Int64?)
        }
        #expect(counts.0 == 1 && counts.1 == 1)
    }

    @Test func readersDoNotWrite() async throws {
        let database = try await open()
        await #expect(throws: SQLError.self) {
            try await database.read { db in try Self.insert("a", nil, db) }
        }
    }

    @Test func questionMarksInTextAreNoParameters() async throws {
        let database = try await open()
        let text: String? = try await database.read { db in
            try db.firstValue("SELECT 'it''s ?1' || ?1 AS \"what?\"", "!")
        }
        #expect(text == "it's ?1!")
    }

    @Test func textIsOrderedByItsBytes() async throws {
        let database = try await open()
        try await database.write { db in
            for name in ["b", "ä", "B", "a", "a b", "Z"] { try Self.insert(name, nil, db) }
        }
        let names = try await database.read { db in
            try db.rows("SELECT name FROM item ORDER BY name") { try $0.value(0) as String }
        }
        #expect(names == ["B", "Z", "a", "a b", "b", "ä"])
    }

    @Test func containmentIgnoresASCIICase() async throws {
        let database = try await open()
        try await database.write { db in for name in ["Final.mp4", "100%_x"] { try Self.insert(name, nil, db) } }
        for (part, expected) in [("INAL", ["Final.mp4"]), ("%_", ["100%_x"]), ("z", [])] {
            let names = try await database.read { db in
                try db.rows(
                    "SELECT name FROM item WHERE \(db.dialect.contains("name", parameter: 1))", [.text(part)]
                ) { try $0.value(0) as String }
            }
            #expect(names == expected)
        }
    }

    @Test func wordsAreFoundByTheirBeginnings() async throws {
        let database = try await open()
        try await database.write { db in
            for statement in db.dialect.fullTextTable("itemSearch") { try db.execute(statement) }
            for (number, text) in ["el gran concierto", "concurso 2026 final", "o'brien & co"].enumerated() {
                try db.execute(
                    "INSERT INTO itemSearch(rowid, text) VALUES (?1, ?2)", SQLValue(number),
                    .text(FullTextQuery.indexed(text)))
            }
        }
        for (query, expected) in [
            ("conc", [0, 1]), ("conc fin", [1]), ("concierto gran", [0]), ("onc", []), ("2026", [1]), ("o'bri", [2]),
            ("\" OR *", []), ("co' & !x", []), ("conc conc concurso c", [1]),
        ] as [(String, [Int64])] {
            let found = try await database.read { db -> [Int64] in
                guard let words = FullTextQuery(query, maximumWordCount: 8) else { return [] }
                return try db.rows(
                    db.dialect.fullTextMatches(in: "itemSearch", parameter: 1) + " ORDER BY rowid",
                    [words.argument(for: db.dialect)]
                ) { try $0.value(0) }
            }
            #expect(found == expected, "\(query)")
            let lookedUp = try await database.read { db -> [Int64] in
                guard let words = FullTextQuery(query, maximumWordCount: 8) else { return [] }
                var arguments: [SQLValue] = []
                let condition = words.condition(on: "number", in: "itemSearch", for: db.dialect) { value in
                    arguments.append(value)
                    return "?\(arguments.count)"
                }
                return try db.rows(
                    """
                    WITH RECURSIVE n(number) AS (
                        SELECT CAST(0 AS BIGINT) UNION ALL SELECT number + 1 FROM n WHERE number < 5)
                    SELECT number FROM n WHERE \(condition) ORDER BY number
                    """, arguments
                ) { try $0.value(0) }
            }
            #expect(lookedUp == expected, "\(query)")
        }
    }

    /// A word that another one begins with says nothing more.
    @Test func aWordIsLookedForOnce() throws {
        let query = try #require(FullTextQuery("sea winter win sea winter", maximumWordCount: 8))
        #expect(query == FullTextQuery("sea winter", maximumWordCount: 8))
    }

    @Test func aWordOfAnyLengthIsIndexedAndFound() async throws {
        let database = try await open()
        let word = String(repeating: "ñ", count: 100_000)
        try await database.write { db in
            for statement in db.dialect.fullTextTable("itemSearch") { try db.execute(statement) }
            try db.execute("INSERT INTO itemSearch(rowid, text) VALUES (1, ?1)", .text(FullTextQuery.indexed(word)))
        }
        let query = try #require(FullTextQuery(word, maximumWordCount: 1))
        #expect(
            try await database.read { db in
                try db.exists(
                    db.dialect.fullTextMatches(in: "itemSearch", parameter: 1), query.argument(for: db.dialect))
            })
    }

    @Test func durableWritesAreSeenByAnotherConnection() async throws {
        let database = try await open()
        try await database.write(durability: .soon) { db in try Self.insert("a", nil, db) }
        try await database.makeDurable()
        let other = try await place.open()
        #expect(try await other.read { db in try db.exists("SELECT 1 FROM item") })
    }

    @Test func aClosedDatabaseRefuses() async throws {
        let database = try await open()
        await database.close()
        let error = await #expect(throws: SQLError.self) {
            try await database.read { db in _ = try db.exists("SELECT 1 FROM item") }
        }
        #expect(error?.code == .unavailable)
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
