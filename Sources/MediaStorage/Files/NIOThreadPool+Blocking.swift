package import NIOPosix

extension NIOThreadPool {
    /// Runs work that may wait for a disk on a thread of the pool.
    ///
    /// Unlike `runIfActive`, the work also runs if the task is cancelled: what removes a temporary file or completes an
    /// index must not be skipped.
    ///
    /// - Throws: What the work throws; ``MediaStorageError`` with `shutDown` if the pool has been shut down.
    package func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            submit { state in
                switch state {
                case .active: continuation.resume(with: Result(catching: work))
                case .cancelled:
                    continuation.resume(
                        throwing: MediaStorageError(.shutDown, "the threads for files have been shut down"))
                }
            }
        }
    }
}
