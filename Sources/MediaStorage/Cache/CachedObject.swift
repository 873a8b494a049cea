import Glibc
import MediaCore

/// A handle of an object in a ``RangeCache``. The object's file stays as long as the handle does.
package final class CachedObject: Sendable {
    package let key: String
    package let version: String
    package let byteCount: Int64
    /// The sparse file, which has ``byteCount`` bytes. Only leased ranges may be read; the others are zeros, or become
    /// zeros.
    package let path: String
    private let cache: RangeCache
    private let number: Int

    init(cache: RangeCache, number: Int, key: String, version: String, byteCount: Int64, path: String) {
        self.cache = cache
        self.number = number
        self.key = key
        self.version = version
        self.byteCount = byteCount
        self.path = path
    }

    deinit { cache.release(number) }

    // MARK: Leases

    /// Leases ranges if all their bytes are present: they stay until ``endReading(_:)``. Takes a lock, and never waits
    /// for anything else.
    ///
    /// - Parameter ranges: Byte offsets, in any order. They may overlap.
    /// - Returns: Whether the ranges may be read now. If not, nothing is leased.
    package func beginReading(_ ranges: [Range<Int64>]) -> Bool {
        cache.beginReading(ranges, of: number)
    }

    /// Ends a lease.
    ///
    /// - Parameter ranges: The same ranges, once for each call of ``beginReading(_:)`` that returned true.
    package func endReading(_ ranges: [Range<Int64>]) {
        cache.update { state in
            state.endReading(ranges, of: number)
            return CacheOutcome()
        }
    }

    // MARK: Fetching

    /// Fetches what is missing of the ranges. Several calls for the same bytes wait for the same request.
    ///
    /// Fetched ranges are not leased. The caller calls ``beginReading(_:)`` again, and fetches again if others needed
    /// the space meanwhile, which only happens in a cache that is too small.
    ///
    /// - Parameters:
    ///   - ranges: Byte offsets, in any order.
    ///   - then: Called once, on any thread, perhaps before this call returns, and without waiting for anything. Errors
    ///     are ``MediaStorageError``.
    package func fetch(_ ranges: [Range<Int64>], then: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        let now = cache.elapsed()
        cache.update { $0.fetch(ranges, of: number, at: now, then: then) }
    }

    /// Fetches ranges that will be read soon, for which nobody waits yet. What exceeds the limits of the cache is left.
    ///
    /// - Parameter ranges: Byte offsets, in any order.
    package func prefetch(_ ranges: [Range<Int64>]) {
        cache.update { $0.prefetch(ranges, of: number) }
    }

    /// Fetches what is missing of the ranges and waits for it, on a thread that may wait.
    ///
    /// - Parameters:
    ///   - ranges: Byte offsets, in any order.
    ///   - limit: The longest wait.
    /// - Throws: ``MediaStorageError``, with `unavailable` after the limit.
    package func fetchBlocking(_ ranges: [Range<Int64>], within limit: Duration = .seconds(30)) throws {
        let box = FetchResult()
        fetch(ranges) { box.set($0) }
        guard let outcome = box.wait(within: limit) else {
            throw MediaStorageError(
                .unavailable, "the store has not answered within \(limit.seconds) s", operation: "read", key: key)
        }
        try outcome.get()
    }

    // MARK: Whole objects

    /// Copies the whole object from the store to a local file, for work that needs one. The cache is not used.
    ///
    /// - Parameter path: The file, which is replaced when the copy is complete, has the right size and, if the store
    ///   knows it, the right SHA-256.
    /// - Throws: ``MediaStorageError``, or `CancellationError`.
    package func copyWhole(to path: String) async throws {
        try await cache.copyWhole(key, version: version, byteCount: byteCount, to: path)
    }
}
