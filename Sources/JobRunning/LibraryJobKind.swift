package import Catalogue
package import LibraryCore

/// A kind of job: how it is performed, resumed after a restart, cancelled and retried. Each kind owns the state that
/// its jobs share. ``JobRunner`` calls it, and holds a job's place until the call returns: no other job for the same
/// title and of the same kind can begin meanwhile.
package protocol LibraryJobKind: Sendable {
    var kind: JobKind { get }
    /// The section of the titles or tracks to which the jobs belong, at most one open job to each. `nil` for jobs that
    /// begin without one; each of them is a job of its own.
    var section: LibrarySection? { get }
    /// True if scans of the folder leave the file alone while a job waits or runs.
    var holdsFile: Bool { get }
    /// Rank of the kind in its lane; kinds with a lower number go first, whatever the priorities of their jobs.
    var rank: Int { get }

    /// The lane in which a job begins.
    func firstLane(ofFile name: String) -> JobLane
    /// The state of a running title or track until the job reports more.
    func itemState(in lane: JobLane) -> TitleState
    /// The state of a running job's record.
    func runningState(in lane: JobLane) -> JobState

    /// Performs a job. It is cancelled by cancelling the task; what it has made is then to be deleted.
    ///
    /// - Throws: an error that ends the job as failed, unless the error is a `CancellationError`.
    func perform(_ job: LibraryJob, in run: JobRun) async throws -> JobOutcome
    /// Returns whether a job that a crash or a shutdown interrupted has still to be done.
    func isStillWanted(_ job: LibraryJob) async throws -> Bool
    /// The ending of a job that is not wanted any more after a restart: its outcome was written, and its record was
    /// not.
    func outcomeOnRestart(of job: LibraryJob) async throws -> JobEnding
    /// Records that an operator cancelled a job, so that it does not begin again by itself, and deletes what is left of
    /// it. Called after the job has left the queue, or has ended running.
    func cancelled(_ job: LibraryJob) async throws
    /// Prepares a failed or cancelled job for another attempt.
    ///
    /// - Returns: false if there is nothing to do.
    func retry(_ job: LibraryJob) async throws -> Bool
}

extension LibraryJobKind {
    package var holdsFile: Bool { true }
    package var rank: Int { 0 }

    package func itemState(in lane: JobLane) -> TitleState { .probing }
    package func runningState(in lane: JobLane) -> JobState { JobState(itemState(in: lane)) }

    package func cancelled(_ job: LibraryJob) async throws {}
    package func retry(_ job: LibraryJob) async throws -> Bool { try await isStillWanted(job) }

    /// The identity of the job that a record describes; `nil` if the record names no title or track and has to.
    func key(of record: JobRecord) -> JobKey? {
        guard section != nil else { return JobKey(kind: kind, number: record.number) }
        return record.subject.map { JobKey(kind: kind, subject: $0) }
    }

    /// The job that a record describes.
    func job(_ key: JobKey, of record: JobRecord) -> LibraryJob {
        LibraryJob(key: key, number: record.number, fileName: record.file, lane: firstLane(ofFile: record.file))
    }
}
