package import Catalogue

/// The final state of a job, and the reason for a failure or cancellation.
package struct JobEnding: Sendable, Hashable {
    package var state: JobState
    package var error: String?

    package static let ready = JobEnding(.ready)
    /// The file is gone, or was replaced and has another job now.
    package static let superseded = JobEnding(.cancelled, error: "the file is gone or was replaced")

    package init(_ state: JobState, error: String? = nil) {
        self.state = state
        self.error = error
    }
}
