package import Foundation

/// A channel's recording as operators see it.
package struct RecordingStatus: Sendable, Codable, Hashable {
    /// The state of a recording.
    package enum State: String, Sendable, Codable {
        case idle
        case recording
        /// The recording ended because of an error.
        case failed
    }

    package var state = State.idle
    /// The beginning of the running recording, or else of the last one.
    package var since: Date?
    /// Bytes on disk of that recording.
    package var bytes: Int64 = 0
    /// Duration of that recording, in seconds.
    package var duration = 0.0
    /// The library's name of the title that the recording becomes when it ends; absent while nothing has been written.
    package var file: String?
    /// The human-readable reason why the recording ended.
    package var reason: String?

    package init() {}
}
