package import Foundation
import GRDB

extension Catalogue {
    private static let unfinished = "state NOT IN ('ready', 'failed', 'cancelled')"

    package func job(number: Int64) async throws -> JobRecord? {
        try await database.read { db in try JobRecord.fetchOne(db, key: number) }
    }

    package func jobs(matching query: String?, after cursor: String?, limit: Int) async throws -> Page<JobRecord> {
        let limit = min(max(1, limit), Self.maximumPageSize)
        var conditions: [String] = []
        var arguments = StatementArguments()
        if let query, !query.isEmpty {
            conditions.append("instr(lower(file), lower(?)) > 0")
            arguments += [query]
        }
        if let cursor {
            guard let number = Int64(cursor), number > 0 else {
                throw CatalogueError(.invalidCursor, "the cursor is not the `next` value of a page of this list")
            }
            conditions.append("number < ?")
            arguments += [number]
        }
        let filter = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND ")) "
        arguments += [limit + 1]
        let sql = "SELECT * FROM job \(filter)ORDER BY number DESC LIMIT ?"
        let jobs = try await database.read { [arguments] db in
            try JobRecord.fetchAll(db, sql: sql, arguments: arguments)
        }
        return Page(
            items: Array(jobs.prefix(limit)), next: jobs.count > limit ? jobs[limit - 1].number.description : nil)
    }

    package func unfinishedJobs() async throws -> [JobRecord] {
        try await database.read { db in
            try JobRecord.fetchAll(
                db, sql: "SELECT * FROM job WHERE \(Self.unfinished) ORDER BY priority DESC, number")
        }
    }

    package func write(_ jobs: [JobRecord], durability: Durability) async throws {
        try await write(durability: durability) { db in
            for job in jobs { try job.save(db) }
        }
    }

    package func pruneJobs(keeping count: Int, endedAfter date: Date) async throws {
        try await write(durability: .soon) { db in
            try db.execute(
                sql: """
                    DELETE FROM job WHERE NOT \(Self.unfinished) AND (endedAt <= :date OR number <= (
                        SELECT number FROM job WHERE NOT \(Self.unfinished) ORDER BY number DESC LIMIT 1 OFFSET :count
                    ))
                    """, arguments: ["date": date, "count": count])
        }
    }
}
