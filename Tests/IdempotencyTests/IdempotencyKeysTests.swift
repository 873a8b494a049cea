import Crypto
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Idempotency

@Suite(.eachEngine) struct IdempotencyKeysTests {
    private let place: TestDatabase
    private let database: any SQLDatabase
    private let clock = TestClock()
    private let key = SymmetricKey(size: .bits256)
    private let keys: IdempotencyKeys

    init() async throws {
        place = try TestDatabase()
        database = try await place.open()
        keys = try await IdempotencyKeys.open(
            database, program: "test", key: key, wallClock: clock.wallClock)
    }

    private static func request(
        _ key: String = "8e03978e", from sender: String = "ana", _ operation: String = "POST /api/v1/links",
        body: String = "{}", limits: String = ""
    ) -> IdempotentRequest {
        IdempotentRequest(sender: sender, limits: limits, operation: operation, key: key, content: Array(body.utf8))
    }

    private static let response = RecordedResponse(
        status: 201, fields: [.init("Content-Type", "application/json")], body: Array(#"{"secret":"abc"}"#.utf8))

    @Test func aRequestIsCarriedOutOnceAndItsResponseKeptForADay() async throws {
        #expect(try await keys.admit(Self.request()) == .new)
        #expect(try await keys.admit(Self.request()) == .inProgress)
        try await keys.complete(Self.request(), with: Self.response)
        #expect(try await keys.admit(Self.request()) == .repeated(Self.response))
        // Another server, and this one after a restart.
        let other = try await IdempotencyKeys.open(
            database, program: "test", key: key, wallClock: clock.wallClock)
        #expect(try await other.admit(Self.request()) == .repeated(Self.response))
        clock.advance(by: IdempotencyKeys.memory)
        #expect(try await keys.admit(Self.request()) == .repeated(Self.response))
        clock.advance(by: .milliseconds(1))
        #expect(try await keys.admit(Self.request()) == .new)
    }

    @Test func aKeyBelongsToItsSenderItsOperationAndItsContent() async throws {
        #expect(try await keys.admit(Self.request()) == .new)
        #expect(try await keys.admit(Self.request(from: "eva")) == .new)
        #expect(try await keys.admit(Self.request("8e03978e", "POST /api/v1/tokens")) == .new)
        #expect(try await keys.admit(Self.request(body: "{ }")) == .keyOfAnotherRequest)
        try await keys.complete(Self.request(), with: Self.response)
        #expect(try await keys.admit(Self.request(body: "{ }")) == .keyOfAnotherRequest)
    }

    @Test func whatWasRefusedMayBeRepeated() async throws {
        #expect(try await keys.admit(Self.request()) == .new)
        try await keys.abandon(Self.request())
        #expect(try await keys.admit(Self.request()) == .new)
        try await keys.complete(Self.request(), with: Self.response)
        // Too late: it was carried out.
        try await keys.abandon(Self.request())
        #expect(try await keys.admit(Self.request()) == .repeated(Self.response))
    }

    @Test func aServerThatStoppedInBetweenHoldsNobodyUp() async throws {
        #expect(try await keys.admit(Self.request()) == .new)
        clock.advance(by: IdempotencyKeys.patience)
        #expect(try await keys.admit(Self.request()) == .inProgress)
        clock.advance(by: .milliseconds(1))
        #expect(try await keys.admit(Self.request(body: "{ }")) == .keyOfAnotherRequest)
        #expect(try await keys.admit(Self.request()) == .new)
        #expect(try await keys.admit(Self.request()) == .inProgress, "the new one has its time")
    }

    @Test func ofManyAtTheSameTimeOneIsNew() async throws {
        let admissions = try await withThrowingTaskGroup(of: IdempotencyKeys.Admission.self) { group in
            for _ in 0..<20 { group.addTask { try await keys.admit(Self.request()) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(admissions.count { $0 == .new } == 1)
        #expect(admissions.count { $0 == .inProgress } == 19)
    }

    /// A response may hold a token that nobody can ask for again.
    @Test func theDatabaseShowsNeitherKeyNorResponse() async throws {
        _ = try await keys.admit(Self.request("opensesame"))
        try await keys.complete(Self.request("opensesame"), with: Self.response)
        let stored = try await database.read { db in
            try db.rows("SELECT digest, response FROM idempotentRequest") { row -> [UInt8] in
                try row.value(0) + (try row.value(1) as [UInt8])
            }
        }.flatMap { $0 }
        let text = String(decoding: stored, as: UTF8.self)
        #expect(!stored.isEmpty && !text.contains("opensesame") && !text.contains("secret"))
        // A server with another key has never seen the request.
        let other = try await IdempotencyKeys.open(
            database, program: "test", key: SymmetricKey(size: .bits256), wallClock: clock.wallClock)
        #expect(try await other.admit(Self.request("opensesame")) == .new)
    }

    @Test func anAccountHasALimitAndTheServersOwnTokenHasNone() async throws {
        // In one statement: a transaction of ten thousand takes longer than a server may take to answer on a busy
        // machine.
        try await database.write { db in
            try db.execute(
                """
                WITH RECURSIVE number(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number WHERE value < ?1)
                INSERT INTO idempotentRequest(digest, sender, fingerprint, begunAt)
                SELECT CAST('key ' || value AS \(db.dialect.name(of: .blob))), 'ana', ?2, ?3 FROM number
                """,
                .integer(Int64(IdempotencyKeys.maximumCountPerSender)), .blob([1]), .time(clock.wallClock.now()))
        }
        #expect(try await keys.admit(Self.request("one")) == .tooMany)
        #expect(try await keys.admit(Self.request("one")) == .tooMany, "nothing was noted")
        #expect(try await keys.admit(Self.request("one", from: "eva")) == .new)
        #expect(try await keys.admit(Self.request("two"), isLimited: false) == .new)
        clock.advance(by: IdempotencyKeys.memory + .milliseconds(1))
        try await keys.maintain()
        #expect(try await keys.admit(Self.request("one")) == .new)
    }

    @Test(arguments: [
        ("8e03978e-40d5", "8e03978e-40d5"), ("\"8e03978e\"", "8e03978e"), ("", nil), ("\"\"", nil), ("a b", nil),
        ("ñ", nil), ("a\"b", nil), (String(repeating: "a", count: 255), String(repeating: "a", count: 255)),
        (String(repeating: "a", count: 256), nil),
    ]) func keysAreVisibleASCII(_ field: String, _ key: String?) {
        #expect(IdempotentRequest.key(parsing: field) == key)
    }
}
