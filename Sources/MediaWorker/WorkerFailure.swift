/// The human-readable reason why a worker's job failed; it names the file.
package struct WorkerFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package var reason: String
    /// The system's error number (`errno`) if the worker could not be started.
    package var systemError: Int32?

    package init(reason: String, systemError: Int32? = nil) {
        self.reason = reason
        self.systemError = systemError
    }

    package var description: String { reason }
}
