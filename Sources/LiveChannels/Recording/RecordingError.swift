/// The reason why a recording cannot be started. `reason` is human-readable.
package struct RecordingError: Error, Hashable, CustomStringConvertible {
    /// The kind of a recording error.
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
