package import Catalogue
import LogMetadata

/// A unit of work on one file, while it waits or runs.
package struct LibraryJob: Sendable, Hashable {
    var key: JobKey
    /// The number of the job's record.
    package var number: Int64
    package var fileName: String
    /// The lane in which the job waits or runs; a job that goes through several stages changes it.
    package var lane: JobLane
    /// The request that has asked for the job, for its log lines; `nil` for a job of the server's own, and for one that
    /// was resumed after a restart: the client that sent the request has had an answer of a program that is gone.
    var request: RequestIdentifier?

    package var kind: JobKind { key.kind }
    /// The ID of the title or track; empty if there is none yet.
    package var id: String { key.item ?? "" }
}
