package import Foundation

/// A channel's recording as operators see it.
package struct RecordingStatus: Sendable, Codable, Hashable {
    package enum State: String, Sendable, Codable {
        case idle
        case recording
        /// It has ended, and not because somebody wanted it to.
        case failed
    }

    package var state = State.idle
    /// Of the recording that is being made, or was last.
    package var since: Date?
    /// The same, on disk.
    package var bytes: Int64 = 0
    /// The same, in seconds.
    package var duration = 0.0
    /// The same, as the title that it becomes when it ends has it; absent while nothing has been written.
    package var file: String?
    /// Why it ended, for people.
    package var reason: String?

    package init() {}
}

/// A recording that cannot be begun.
package struct RecordingError: Error, Hashable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// There is nothing to record.
        case nobodyPublishes
        /// The server keeps nothing on disk.
        case noArchive
    }

    package var code: Code
    package var reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { reason }
}
