import Catalogue

/// A unit of work on one file, while it waits or runs.
struct LibraryJob: Sendable, Hashable {
    var key: JobKey
    /// The number of the job's record.
    var number: Int64
    var fileName: String
    /// The lane in which the job waits or runs; a job that goes through several stages changes it.
    var lane: JobLane

    var kind: JobKind { key.kind }
    /// The ID of the title or track; empty if there is none yet.
    var id: String { key.item ?? "" }
}
