package import Foundation

/// A job on one file, as operators see it. The record survives a restart of the server.
package struct JobRecord: Sendable, Equatable {
    /// Job number. Numbers ascend with the time of creation and are never reused.
    package var number: Int64
    package var kind: JobKind
    /// ID of the title or track; `nil` while there is none.
    package var subject: String?
    /// Section of the library that contains the subject.
    package var section: String?
    /// File name as in the subject's record.
    package var file: String
    /// Source of the file, for jobs that import one.
    package var origin: String?
    /// Parameters of the job, in a format that its kind defines.
    package var parameters: String?
    /// Size of the imported file in bytes, once it is known.
    package var byteCount: Int64?
    package var state: JobState
    /// The worker's current activity, if it is more specific than the state.
    package var phase: String?
    /// Progress from 0 to 1; `nil` if it cannot be determined.
    package var progress: Double?
    /// Human-readable reason of a failure; `nil` if the job has not failed.
    package var error: String?
    /// Human-readable note that is not an error, such as the reason for a conversion.
    package var message: String?
    /// Number of times that the job has been started.
    package var attempt: Int
    /// Priority; jobs with a higher one go first.
    package var priority: Int
    package var createdAt: Date
    /// Start of the current or last attempt; `nil` while the job is queued.
    package var startedAt: Date?
    /// Time of the end; `nil` if the job has not ended.
    package var endedAt: Date?

    package init(
        number: Int64, kind: JobKind, subject: String? = nil, section: String? = nil, file: String,
        state: JobState = .queued, priority: Int = 0, createdAt: Date
    ) {
        self.number = number
        self.kind = kind
        self.subject = subject
        self.section = section
        self.file = file
        self.state = state
        attempt = 0
        self.priority = priority
        self.createdAt = createdAt
    }
}
