import Glibc

/// Files on another machine.
extension MediaFile {
    /// The number of times that ranges are fetched again because they were dropped before they could be read.
    private static let maximumFetchCount = 3

    /// Whether the file lies on another machine, so that reading it may wait for the network.
    package var isRemote: Bool { remote != nil }

    /// Has ranges brought to this machine if the file is not on it.
    ///
    /// - Parameters:
    ///   - ranges: Ranges within the file.
    ///   - completion: Called once, on any thread, unless the result is false.
    /// - Returns: False if nothing has to be brought: the completion is not called then.
    package func fetch(
        _ ranges: [FileRange], _ completion: @escaping FetchCompletion
    ) -> Bool {
        guard let remote else { return false }
        if remote.beginReading(ranges) {
            remote.endReading(ranges)
            return false
        }
        remote.fetch(ranges, completion)
        return true
    }

    /// Has ranges brought to this machine that will be read soon, if the file is not on it.
    func prefetch(_ ranges: [FileRange]) { remote?.prefetch(ranges) }

    /// Has ranges brought to this machine if the file is not on it.
    ///
    /// - Throws: The reason why they do not come.
    package func fetch(_ ranges: [FileRange]) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            if !fetch(ranges, { continuation.resume(with: $0) }) { continuation.resume() }
        }
    }

    /// Begins to read ranges.
    ///
    /// - Parameter waits: Whether to have them brought here first, and to block the thread until they have come.
    /// - Returns: False if they are not here and are not waited for.
    func beginReading(
        _ ranges: [FileRange], of remote: any RemoteContents, waits: Bool
    ) throws(MediaFileError) -> Bool {
        for _ in 0..<Self.maximumFetchCount {
            if remote.beginReading(ranges) { return true }
            guard waits else { return false }
            do {
                try remote.fetchAndWait(ranges)
            } catch {
                throw MediaFileError(path: path, operation: MediaFileError.fetch, errno: EIO)
            }
        }
        throw MediaFileError(path: path, operation: MediaFileError.fetch, errno: EAGAIN)
    }
}
