package import Catalogue

/// A unit of work on one file, while it waits or runs.
package struct LibraryJob: Sendable, Hashable {
    var key: JobKey
    /// The number of the job's record.
    package var number: Int64
    package var fileName: String
    /// The lane in which the job waits or runs; a job that goes through several stages changes it.
    package var lane: JobLane

    package var kind: JobKind { key.kind }
    /// The ID of the title or track; empty if there is none yet.
    package var id: String { key.item ?? "" }
}
