import Foundation
package import LibraryCore
package import MediaFolders

/// Copies one file after the other on a thread of its own: gigabytes take minutes, and viewers must not wait for them.
package actor MediaImporter {
    package nonisolated let mediaImport: MediaImport
    private let queue = DispatchQueue(label: "antena.import")
    private var waitingCount = 0

    /// Limit on requests that wait or run; more are refused.
    static let maximumWaitingCount = 16

    package init(mediaImport: MediaImport) { self.mediaImport = mediaImport }

    /// See `MediaImport.importFile(path:)`.
    ///
    /// - Throws: `LibraryError`
    package func importFile(path: String) async throws -> (LibrarySection, FoundFile) {
        guard waitingCount < Self.maximumWaitingCount else {
            throw LibraryError(.limitExceeded, "\(waitingCount) files are already being imported; try again later")
        }
        waitingCount += 1
        defer { waitingCount -= 1 }
        return try await withCheckedThrowingContinuation { [mediaImport] continuation in
            queue.async {
                continuation.resume(with: Result { try mediaImport.importFile(path: path) })
            }
        }
    }
}
