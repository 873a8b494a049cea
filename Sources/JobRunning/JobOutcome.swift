/// The result of performing a job.
package enum JobOutcome: Sendable, Hashable {
    case ended(JobEnding)
    /// The job's next stage waits in another lane.
    case continues(in: JobLane)

    package static let ready = ended(.ready)
    package static let superseded = ended(.superseded)
}
