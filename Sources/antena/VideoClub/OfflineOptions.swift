import ArgumentParser
import Foundation
import OfflineDownloads

/// Options of the commands for offline copies on this machine.
struct OfflineOptions: ItemSource {
    @Option(
        help: ArgumentHelp(
            "The folder of the copies. (default: antena/offline in $XDG_DATA_HOME or ~/.local/share)",
            valueName: "dir"),
        completion: .directory)
    var folder: String?

    var library: OfflineLibrary {
        OfflineLibrary(
            folder: folder.map { OfflineFolder(path: $0) }
                ?? OfflineFolder(environment: ProcessInfo.processInfo.environment))
    }

    /// Runs `body` after copies whose rentals have ended were deleted.
    ///
    /// - Throws: ``CommandFailure``
    func withLibrary<Result: Sendable>(_ body: (OfflineLibrary) async throws -> Result) async throws -> Result {
        do {
            let library = library
            try Self.say(await library.sweep())
            return try await body(library)
        } catch let error as DownloadError {
            throw CommandFailure(error.description)
        }
    }

    func withAccess<Result: Sendable>(_ body: (OfflineLibrary) async throws -> Result) async throws -> Result {
        try await withLibrary(body)
    }

    /// Sweeps every minute beside something that takes long.
    ///
    /// - Throws: ``CommandFailure``
    func withSweeps(_ body: @escaping @Sendable (OfflineLibrary) async throws -> Void) async throws {
        try await withLibrary { library in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await body(library)
                    return true
                }
                group.addTask {
                    while (try? await Task.sleep(for: OfflineLibrary.sweepInterval)) != nil {
                        try Self.say(await library.sweep())
                    }
                    return false
                }
                while try await group.next() == false {}
                group.cancelAll()
            }
        }
    }

    /// Says what was deleted.
    static func say(_ deleted: [String]) throws {
        for name in deleted {
            try FileHandle.standardError.write(
                contentsOf: Data("the rental of \(name) has ended, or its file is gone; the copy was deleted\n".utf8))
        }
    }
}
