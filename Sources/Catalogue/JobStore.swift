package import Database
package import Foundation
package import MediaCore

/// Storage of jobs; part of ``CatalogueStore``.
package protocol JobStore: Sendable {
    /// Highest job number when the store was opened; 0 if there were no jobs.
    var lastJobNumber: Int64 { get }
    /// The job with this number; `nil` if there never was one or it has been pruned.
    func job(number: Int64) async throws -> JobRecord?
    /// A page of jobs, newest first.
    ///
    /// - Parameters:
    ///   - query: part of the file's name; `nil` or empty for all jobs.
    ///   - cursor: the `next` value of the previous page; `nil` for the first page.
    ///   - limit: page size, clamped to 1...``Catalogue/maximumPageSize``.
    /// - Throws: `Refusal` if the cursor is not valid.
    func jobs(matching query: String?, after cursor: String?, limit: Int) async throws -> ListPage<JobRecord>
    /// Unfinished jobs in the order in which they are to be performed.
    func unfinishedJobs() async throws -> [JobRecord]
    /// Inserts or replaces all jobs in one transaction.
    ///
    /// - Parameters:
    ///   - jobs: the jobs to store.
    ///   - durability: with `SQLDurability.soon`, a power cut may lose the write.
    func write(_ jobs: [JobRecord], durability: SQLDurability) async throws
    /// Deletes finished jobs, except the newest `count` that ended after `date`.
    func pruneJobs(keeping count: Int, endedAfter date: Date) async throws
}
