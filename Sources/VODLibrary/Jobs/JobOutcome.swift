/// The result of performing a job.
enum JobOutcome: Sendable, Hashable {
    case ended(JobEnding)
    /// The job's next stage waits in another lane.
    case continues(in: JobLane)

    static let ready = ended(.ready)
    static let superseded = ended(.superseded)
}
