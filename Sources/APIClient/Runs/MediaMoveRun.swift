/// `antena media move`: has files moved, and shows the progress.
package struct MediaMoveRun: Sendable {
    private let destination: String
    private let waits: Bool
    private let report: @Sendable (String) -> Void

    private static let interval = Duration.seconds(1)

    /// - Parameters:
    ///   - destination: `store`, `folder` or the address of the store.
    ///   - waits: whether to wait until the files have been moved.
    ///   - report: receives lines of text about the progress.
    package init(destination: String, waits: Bool, report: @escaping @Sendable (String) -> Void) {
        (self.destination, self.waits, self.report) = (destination, waits, report)
    }

    /// - Returns: the media store at the end.
    /// - Throws: ``ServerClientError``, and `CancellationError`.
    package func run(_ client: ServerClient) async throws -> MediaStoreReport {
        var status = try await client.moveMedia(to: destination)
        guard waits else { return status }
        var (shownCount, shownError): (Int?, String?) = (nil, nil)
        while status.waitingCount != 0 {
            if let count = status.waitingCount, count != shownCount {
                shownCount = count
                report("\(count) files are left; \(status.movedCount) moved (\(status.movedByteCount >> 20) MiB)")
            }
            if let error = status.error, error != shownError {
                shownError = error
                report("the server will retry: \(error)")
            }
            try await Task.sleep(for: Self.interval)
            status = try await client.mediaStore()
        }
        return status
    }
}
