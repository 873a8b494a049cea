package import Foundation

/// Where jobs are kept; part of what ``CatalogueStore`` keeps.
package protocol JobStore: Sendable {
    /// The highest that there was when the store was opened; 0 where there was none.
    var lastJobNumber: Int64 { get }
    func job(number: Int64) async throws -> JobRecord?
    /// A page, newest first.
    ///
    /// - Parameters:
    ///   - query: part of the file's name; `nil` or empty for all.
    ///   - cursor: the `next` of the page before.
    /// - Throws: ``CatalogueError``
    func jobs(matching query: String?, after cursor: String?, limit: Int) async throws -> Page<JobRecord>
    /// Those that are not done, in the order in which they are to be.
    func unfinishedJobs() async throws -> [JobRecord]
    /// Inserts or replaces all of them at once.
    ///
    /// - Parameter durability: with ``Durability/soon`` they outlive a kill, but maybe not a power cut.
    func write(_ jobs: [JobRecord], durability: Durability) async throws
    /// Deletes those that are done, but for the newest `count` of them that ended after `date`.
    func pruneJobs(keeping count: Int, endedAfter date: Date) async throws
}
