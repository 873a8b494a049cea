import Foundation
import LibraryStorage
import MediaWorker
import NIOPosix

/// Gives workers a copy of a file that lies in the media store: they open files of this machine only.
struct LocalInputWorker: WorkerRunning {
    private let worker: any WorkerRunning
    private let stored: StoredFiles
    private let copies: LocalCopies

    /// - Parameters:
    ///   - worker: does the work.
    ///   - stored: the files in the media store.
    ///   - directory: the data folder, in which the copies are made.
    ///   - threadPool: checks for and deletes local files.
    init(worker: any WorkerRunning, stored: StoredFiles, directory: String, threadPool: NIOThreadPool) {
        self.worker = worker
        self.stored = stored
        copies = LocalCopies(stored: stored, folder: Self.folder(in: directory), threadPool: threadPool)
    }

    private static func folder(in dataDirectory: String) -> String { "\(dataDirectory)/fetched" }

    /// Deletes what a crash left. Blocks.
    static func deleteCopies(in dataDirectory: String) {
        try? FileManager.default.removeItem(atPath: folder(in: dataDirectory))
    }

    func run(_ request: WorkerRequest, onProgress: @escaping @Sendable (Double) -> Void) async throws -> WorkerResult {
        guard stored.file(at: request.input) != nil, try await !copies.isLocal(request.input) else {
            return try await worker.run(request, onProgress: onProgress)
        }
        let copy = try await copies.copy(of: request.input)
        var local = request
        local.input = copy
        let result: Result<WorkerResult, any Error>
        do {
            result = .success(try await worker.run(local, onProgress: onProgress))
        } catch {
            result = .failure(error)
        }
        await copies.release(request.input)
        return try result.get()
    }
}
