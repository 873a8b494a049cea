import DatabaseTestSupport
import TestSupport
import Foundation
import Testing

@testable import Database

/// A server that is killed, hangs, and comes back.
struct PostgreSQLOutageTests {
    private let server: PostgreSQLTestServer
    private let database: any SQLDatabase

    init() async throws {
        server = try await PostgreSQLTestServer()
        database = try await DatabaseAddress(parsing: server.url).open()
        try await database.write { db in try db.execute("CREATE TABLE t(x BIGINT)") }
    }

    private func insert(_ number: Int64) async throws {
        try await database.write { db in try db.execute("INSERT INTO t VALUES (?1)", .integer(number)) }
    }

    private func stored() async throws -> Set<Int64> {
        try await eventually("the database answers") {
            Set(try await database.read { db in try db.rows("SELECT x FROM t") { try $0.value(0) as Int64 } })
        }
    }

    @Test func whatWasAcknowledgedOutlivesAKillAndTheDatabaseComesBackByItself() async throws {
        var acknowledged: Set<Int64> = []
        for number in 0..<50 as Range<Int64> {
            if number == 25 { server.kill() }
            do {
                try await insert(number)
                acknowledged.insert(number)
            } catch let error as SQLError {
                #expect([.unavailable, .outcomeUnknown].contains(error.code))
            }
        }
        #expect(acknowledged.count >= 25)
        try await server.start()
        #expect(try await stored().isSuperset(of: acknowledged))
        try await eventually {
            try await insert(100); return true
        }
    }

    /// A call ends at its limit although the server, which accepted it, stands still.
    @Test func aServerThatHangsIsUnavailableUntilItGoesOn() async throws {
        try await insert(1)
        server.pause()
        await withTaskGroup(of: Void.self) { group in
            // More calls than connections.
            for _ in 0..<20 {
                group.addTask {
                    let error = await #expect(throws: SQLError.self) { try await stored(within: .milliseconds(500)) }
                    #expect(error?.code == .unavailable)
                }
            }
        }
        server.resume()
        #expect(try await stored() == [1])
    }

    private func stored(within limit: Duration) async throws {
        try await database.read(within: limit) { db in _ = try db.exists("SELECT 1 FROM t") }
    }
}
