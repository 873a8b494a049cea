/// Runs one worker: a process in the server, a stand-in in tests.
package protocol WorkerRunning: Sendable {
    /// Performs a request.
    ///
    /// - Parameters:
    ///   - request: the work.
    ///   - onProgress: called on any thread with a fraction from 0 to 1.
    /// - Throws: an error whose human-readable description names the file and the reason; `CancellationError` if the
    ///   calling task is cancelled, after the worker has been killed.
    func run(_ request: WorkerRequest, onProgress: @escaping @Sendable (Double) -> Void) async throws -> WorkerResult
}
