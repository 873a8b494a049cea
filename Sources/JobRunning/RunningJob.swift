import Catalogue
import Foundation

/// A job that a worker has taken, until its outcome is recorded.
struct RunningJob: Sendable {
    var job: LibraryJob
    var startedAt: Date
    var state: TitleState
    /// Progress from 0 to 1; `nil` if it is not known.
    var progress: Double?
    /// The task that performs the job; `nil` for the moment between taking it and beginning.
    var task: Task<JobOutcome, any Error>?
    /// Resumed when the job has ended running; set by the one task that cancels it.
    var end: CheckedContinuation<Void, Never>?
}
