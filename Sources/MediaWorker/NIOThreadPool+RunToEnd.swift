package import NIOPosix

extension NIOThreadPool {
    /// Runs work to its end even if the calling task has been cancelled, for example to remove what a cancelled job
    /// made.
    package func runToEnd(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            submit { _ in
                body()
                continuation.resume()
            }
        }
    }
}
