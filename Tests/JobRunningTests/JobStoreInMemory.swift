import Catalogue
import Database
import Foundation
import MediaCore
import Synchronization

/// The records of jobs in memory. Refuses to write for a task that was cancelled, as GRDB does.
final class JobStoreInMemory: JobStore {
    private let records: Mutex<[Int64: JobRecord]>

    init(_ records: [JobRecord] = []) {
        self.records = Mutex(Dictionary(records.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first }))
    }

    var all: [JobRecord] { records.withLock { $0.values.sorted { $0.number < $1.number } } }

    var lastJobNumber: Int64 { records.withLock { $0.keys.max() ?? 0 } }
    func job(number: Int64) async throws -> JobRecord? { records.withLock { $0[number] } }
    func jobs(matching query: String?, after cursor: String?, limit: Int) async throws -> ListPage<JobRecord> {
        ListPage(items: Array(all.reversed().prefix(limit)), next: nil)
    }
    func unfinishedJobs() async throws -> [JobRecord] {
        all.filter { !$0.state.isFinal }.sorted { (-$0.priority, $0.number) < (-$1.priority, $1.number) }
    }
    func write(_ jobs: [JobRecord], durability: SQLDurability) async throws {
        try Task.checkCancellation()
        records.withLock { records in for job in jobs { records[job.number] = job } }
    }
    func pruneJobs(keeping count: Int, endedAfter date: Date) async throws {}
}
