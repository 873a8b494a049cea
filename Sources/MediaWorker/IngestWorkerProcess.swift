import NIOPosix

/// Runs the hidden `ingest-worker` subcommand of this program for each job.
package struct IngestWorkerProcess: WorkerRunning {
    private let executable: String
    private let threads: WorkerThreads

    /// - Parameters:
    ///   - executable: absolute path of `antena`.
    ///   - threads: the threads that wait for the disk.
    package init(executable: String, threads: WorkerThreads = WorkerThreads(shared: .singleton)) {
        self.executable = executable
        self.threads = threads
    }

    package func run(
        _ request: WorkerRequest, onProgress: @escaping @Sendable (Double) -> Void
    ) async throws -> WorkerResult {
        try await WorkerProcess.run(
            request, executable: executable, arguments: ["ingest-worker"], threads: threads
        ) { event in
            if case .progress(let fraction) = event { onProgress(fraction) }
        }
    }
}
