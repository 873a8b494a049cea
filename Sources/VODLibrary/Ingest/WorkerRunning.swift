/// Runs one worker: a process in the server, a stand-in in tests.
package protocol WorkerRunning: Sendable {
    /// - Parameter onProgress: 0 to 1, called on any thread.
    /// - Throws: with a description for people that names the file and the reason; ``CancellationError`` when the
    ///   calling task is cancelled, with the worker killed.
    func run(_ request: WorkerRequest, onProgress: @escaping @Sendable (Double) -> Void) async throws -> WorkerResult
}
