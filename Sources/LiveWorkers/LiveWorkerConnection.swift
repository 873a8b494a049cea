import NIOCore

/// A running live worker and the channel to it.
protocol LiveWorkerConnection: Sendable {
    var channel: any Channel { get }
    /// Kills the worker and waits until it has exited. Called once, on the channel's event loop.
    ///
    /// - Returns: a human-readable description of how it ended.
    func end() -> EventLoopFuture<String>
    /// The processor time that all threads of the worker have used so far; `nil` if it is not known. Does not block.
    func processorTime() -> TimeAmount?
}
