import NIOPosix

/// Runs the hidden `ingest-worker` subcommand of this program for each job.
struct IngestWorkerProcess: WorkerRunning {
    let executable: String
    var threads = LibraryThreads(shared: .singleton)

    func run(_ request: WorkerRequest, onProgress: @escaping @Sendable (Double) -> Void) async throws -> WorkerResult {
        try await WorkerProcess.run(
            request, executable: executable, arguments: ["ingest-worker"], threads: threads
        ) { event in
            if case .progress(let fraction) = event { onProgress(fraction) }
        }
    }
}
