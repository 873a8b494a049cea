package import Catalogue
package import JobRunning
package import MediaCore
package import MediaIntake

/// The jobs of the library.
package protocol LibraryJobControl: Sendable {
    /// The job with a number; `nil` if there is none.
    func job(number: Int64) async throws -> JobRecord?
    /// One page of jobs, newest first.
    ///
    /// - Parameters:
    ///   - query: words to search for; `nil` matches all jobs.
    ///   - cursor: the `next` of the previous page; `nil` for the first page.
    ///   - limit: maximum number of items.
    func jobs(matching query: String?, after cursor: String?, limit: Int) async throws -> ListPage<JobRecord>
    /// The running and queued jobs, at most a few hundred.
    func openJobs() async -> [JobRecord]
    /// Registers a listener for changes of jobs.
    ///
    /// - Parameters:
    ///   - client: the address whose limit the listener counts towards.
    ///   - event: the last event that the listener has seen; `nil` for a new listener.
    /// - Throws: `LibraryError` if there are too many listeners.
    func listenToJobs(by client: AddressGroup, after event: JobEvent.ID?) async throws -> JobEventHub.Listener
    /// Cancels a job.
    ///
    /// - Returns: the job; `nil` if there is none with that number.
    /// - Throws: `LibraryError`
    func cancelJob(number: Int64) async throws -> JobRecord?
    /// Queues a failed or cancelled job again; the result and the error are those of ``cancelJob(number:)``.
    func retryJob(number: Int64) async throws -> JobRecord?
    /// Changes the priority of a job; higher goes first. The result and the error are those of ``cancelJob(number:)``.
    func prioritizeJob(number: Int64, _ priority: Int) async throws -> JobRecord?
    /// The running or queued job of a title or track; `nil` if there is none.
    func openJob(of item: IngestedItem) async -> JobRecord?
}
