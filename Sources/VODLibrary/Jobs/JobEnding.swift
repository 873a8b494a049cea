import Catalogue

/// The final state of a job, and the reason for a failure or cancellation.
struct JobEnding: Sendable, Hashable {
    var state: JobState
    var error: String?

    static let ready = JobEnding(.ready)
    /// The file is gone, or was replaced and has another job now.
    static let superseded = JobEnding(.cancelled, error: "the file is gone or was replaced")

    init(_ state: JobState, error: String? = nil) {
        self.state = state
        self.error = error
    }
}
