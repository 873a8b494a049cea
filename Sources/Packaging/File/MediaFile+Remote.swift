import Dispatch
import Glibc
import Synchronization

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
        _ ranges: [FileRange], _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) -> Bool {
        guard let remote else { return false }
        if remote.beginReading(ranges) {
            remote.endReading(ranges)
            return false
        }
        remote.fetch(ranges, completion)
        return true
    }

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
            try fetchAndWait(ranges, of: remote)
        }
        throw MediaFileError(path: path, operation: MediaFileError.fetch, errno: EAGAIN)
    }

    /// Blocks until the ranges have come. Threads that may wait for a disk may wait for this, too.
    private func fetchAndWait(_ ranges: [FileRange], of remote: any RemoteContents) throws(MediaFileError) {
        let arrival = Arrival()
        remote.fetch(ranges) { arrival.note($0) }
        if arrival.wait() { return }
        throw MediaFileError(path: path, operation: MediaFileError.fetch, errno: EIO)
    }
}

/// The arrival of ranges, for which a thread waits.
private final class Arrival: Sendable {
    private let hasSucceeded = Mutex(false)
    private let semaphore = DispatchSemaphore(value: 0)

    func note(_ result: Result<Void, any Error>) {
        if case .success = result { hasSucceeded.withLock { $0 = true } }
        semaphore.signal()
    }

    /// Blocks until ``note(_:)`` has been called, and returns whether that was a success.
    func wait() -> Bool {
        semaphore.wait()
        return hasSucceeded.withLock { $0 }
    }
}
