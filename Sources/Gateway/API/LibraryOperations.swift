package import Catalogue
package import VODLibrary

/// What operators do with the library. The server's own is `VODLibrary`.
package protocol LibraryOperations: Sendable {
    func job(number: Int64) async throws -> JobRecord?
    /// Newest first.
    func jobs(matching query: String?, after cursor: String?, limit: Int) async throws -> Page<JobRecord>
    /// What is going on and what waits, at most some hundred.
    func openJobs() async -> [JobRecord]
    func listenToJobs(after event: JobEvent.ID?) async throws -> JobEventHub.Listener
    /// - Returns: `nil` where there is none of that number.
    /// - Throws: `LibraryError`
    func cancelJob(number: Int64) async throws -> JobRecord?
    func retryJob(number: Int64) async throws -> JobRecord?
    func prioritizeJob(number: Int64, _ priority: Int) async throws -> JobRecord?
}

extension VODLibrary: LibraryOperations {}
