import Foundation
import LibraryCore
import LibraryStorage
import MediaCore
import MediaWorker
import NIOPosix
import Synchronization

/// Copies of files in the media store, each made once for all workers that need it at the same time.
final class LocalCopies: Sendable {
    private struct Copy {
        var path: String
        var userCount: Int
        /// Makes the copy; cancelled with its last user.
        var making: Task<Void, any Error>
    }

    private let stored: StoredFiles
    private let folder: String
    private let threadPool: NIOThreadPool
    private let copies = Mutex<[String: Copy]>([:])

    init(stored: StoredFiles, folder: String, threadPool: NIOThreadPool) {
        (self.stored, self.folder, self.threadPool) = (stored, folder, threadPool)
    }

    /// Returns whether a file lies on this machine.
    func isLocal(_ path: String) async throws -> Bool {
        try await threadPool.runIfActive { access(path, F_OK) == 0 }
    }

    /// The path of a copy, which is kept until ``release(_:)`` has been called as often as this has returned.
    func copy(of path: String) async throws -> String {
        let copy = copies.withLock { copies in
            var copy = copies[path] ?? makeCopy(of: path)
            copy.userCount += 1
            copies[path] = copy
            return copy
        }
        do {
            try await withTaskCancellationHandler {
                try await copy.making.value
            } onCancel: {
                // Other workers may need the copy.
                copies.withLock { if $0[path]?.userCount == 1 { copy.making.cancel() } }
            }
            return copy.path
        } catch {
            await release(path)
            throw error
        }
    }

    private func makeCopy(of path: String) -> Copy {
        let target = "\(folder)/\(UUID().uuidString)-\(FilePathText.name(of: path).suffix(100))"
        let (stored, folder, threadPool) = (stored, folder, threadPool)
        let making = Task {
            try await threadPool.runIfActive {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            guard try await stored.copy(path, to: target) else {
                throw LibraryError(.noSuchFile, "the file was just brought back from the media store; try again")
            }
        }
        return Copy(path: target, userCount: 0, making: making)
    }

    /// Deletes a copy that nobody uses any more.
    func release(_ path: String) async {
        let unused = copies.withLock { copies -> Copy? in
            copies[path]?.userCount -= 1
            guard let copy = copies[path], copy.userCount <= 0 else { return nil }
            copies[path] = nil
            return copy
        }
        guard let unused else { return }
        unused.making.cancel()
        await threadPool.runToEnd { unlink(unused.path) }
    }
}
