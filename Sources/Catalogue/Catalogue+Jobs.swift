package import Database
package import Foundation
package import MediaCore

extension Catalogue {
    private static let unfinished = "state NOT IN ('ready', 'failed', 'cancelled')"

    package func job(number: Int64) async throws -> JobRecord? {
        try await database.read { db in try JobRecord.first(db, "WHERE number = ?1", .integer(number)) }
    }

    package func jobs(matching query: String?, after cursor: String?, limit: Int) async throws -> ListPage<JobRecord> {
        let limit = min(max(1, limit), Self.maximumPageSize)
        var conditions: [String] = []
        var arguments: [SQLValue] = []
        if let query, !query.isEmpty {
            arguments.append(.text(query))
            conditions.append(database.dialect.contains("file", parameter: arguments.count))
        }
        if let cursor {
            arguments.append(.integer(try ListCursor.number(parsing: cursor)))
            conditions.append("number < ?\(arguments.count)")
        }
        let filter = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND ")) "
        arguments.append(SQLValue(limit + 1))
        let jobs = try await database.read { [filter, arguments] db in
            try JobRecord.all(db, "\(filter)ORDER BY number DESC LIMIT ?\(arguments.count)", arguments)
        }
        return ListPage(
            items: Array(jobs.prefix(limit)),
            next: jobs.count > limit ? ListCursor(number: jobs[limit - 1].number).text : nil)
    }

    package func unfinishedJobs() async throws -> [JobRecord] {
        try await database.read { db in
            try JobRecord.all(db, "WHERE \(Self.unfinished) ORDER BY priority DESC, number")
        }
    }

    package func write(_ jobs: [JobRecord], durability: SQLDurability) async throws {
        try await database.write(durability: durability) { db in
            for job in jobs { try db.upsert(job.values, into: JobRecord.table) }
            if let highest = jobs.map(\.number).max() { try JobCounter.raise(to: highest, db) }
        }
    }

    package func pruneJobs(keeping count: Int, endedAfter date: Date) async throws {
        try await database.write(durability: .soon) { db in
            try db.execute(
                """
                DELETE FROM job WHERE NOT \(Self.unfinished) AND (endedAt <= ?1 OR number <= (
                    SELECT number FROM job WHERE NOT \(Self.unfinished) ORDER BY number DESC LIMIT 1 OFFSET ?2
                ))
                """, .text(StoredDate(date).text), SQLValue(count))
        }
    }
}
