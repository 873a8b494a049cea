import LogMetadata
package import Logging
import MediaCore
package import NIOPosix
import Synchronization

/// Keeps the parts of objects that are read often on a local disk.
///
/// For each version of an object there is a sparse file of the object's size, into which blocks are written as they are
/// fetched from the store. A block that is present can be read from the file like any other; a lease keeps it there.
/// The blocks that have not been read for the longest time make room for others, so that all blocks together stay
/// within a bound.
///
/// The cache does its work in ``run()``. Everything else may be called from any thread.
package final class RangeCache: Sendable {
    let directory: String
    let store: any MediaStore
    let threads: NIOThreadPool
    let settings: RangeCacheSettings
    let files: any CacheFileLayer
    /// The time since the cache was created.
    let elapsed: @Sendable () -> Duration
    let logger: Logger
    private let state: Mutex<CacheState>
    private let loading = Mutex(Loading.waiting([]))
    private let (wakeUps, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// The state of loading what the last run left.
    private enum Loading {
        /// The calls that wait for it.
        case waiting([CheckedContinuation<Void, any Error>])
        case done(Result<Void, any Error>)
    }

    /// The smallest cache that is of use: requests of several readers must fit.
    package static let minimumByteCount: Int64 = 64 << 20

    /// Creates a cache, which needs ``run()`` to work.
    ///
    /// - Parameters:
    ///   - directory: A folder of the cache's own, made if needed. Everything else in it is removed.
    ///   - maximumByteCount: The bound on the blocks on the disk.
    ///   - store: Where objects are fetched from.
    ///   - threads: Running threads, on which the cache waits for the disk.
    ///   - settings: Limits.
    ///   - clock: Measures how long the store is left alone after failures.
    ///   - files: How the content of files is changed; tests put a full disk in its place.
    ///   - logger: Gets a line when the disk is full, or the store is away.
    package init(
        directory: String, maximumByteCount: Int64, store: any MediaStore, threads: NIOThreadPool,
        settings: RangeCacheSettings = RangeCacheSettings(), clock: some Clock<Duration> = ContinuousClock(),
        files: any CacheFileLayer = LocalCacheFileLayer(), logger: Logger
    ) {
        self.directory = directory
        self.store = store
        self.threads = threads
        self.settings = settings
        self.files = files
        self.logger = logger
        elapsed = clock.elapsed()
        state = Mutex(CacheState(maximumByteCount: maximumByteCount, settings: settings))
    }

    /// Counters and sizes.
    package var statistics: RangeCacheStatistics {
        let now = elapsed()
        return state.withLock { $0.statistics(at: now) }
    }

    // MARK: The run

    /// Loads what the last run left, serves fetches until the task is cancelled or ``shutDown()`` is called, and then
    /// writes down what is present, for the next run. Fetches that were made before are served as well.
    ///
    /// - Throws: ``MediaStorageError`` if the directory cannot be used.
    package func run() async throws {
        do {
            try await load()
            loaded(.success(()))
        } catch {
            loaded(.failure(error))
            state.withLock { $0.stop() }.tell()
            throw error
        }
        wakeUp.yield()
        await withDiscardingTaskGroup { group in
            for await _ in wakeUps {
                let unused = state.withLock { $0.takeUnusedFiles() }
                if !unused.isEmpty { group.addTask { await self.remove(unused) } }
                while let work = takeWork() { group.addTask { await self.perform(work) } }
            }
            state.withLock { $0.stop() }.tell()
            group.cancelAll()
        }
        await save()
    }

    /// Ends ``run()``. Calls that wait fail.
    package func shutDown() { wakeUp.finish() }

    private func takeWork() -> CacheWork? {
        let now = elapsed()
        while let (work, outcome) = state.withLock({ $0.takeRequest(at: now) }) {
            outcome.tell()
            if let work { return work }
        }
        return nil
    }

    /// Has requests looked at.
    func wake() { wakeUp.yield() }

    /// Changes the state, tells the calls that have ended by that, and has requests looked at again.
    func update(_ change: (inout sending CacheState) -> CacheOutcome) {
        let (outcome, hasRequests) = state.withLock { state in
            let outcome = change(&state)
            return (outcome, state.hasRequests)
        }
        outcome.tell()
        if hasRequests { wakeUp.yield() }
    }

    /// Looks at the state, or changes what no call waits for.
    func withState<Value: Sendable>(_ body: (inout sending CacheState) throws -> Value) rethrows -> Value {
        try state.withLock { try body(&$0) }
    }

    // MARK: Objects

    /// Opens an object, of which nothing needs to be present. Waits until ``run()`` has loaded what the last run left.
    ///
    /// A former version of the object is given up.
    ///
    /// - Parameters:
    ///   - key: The object's key.
    ///   - byteCount: Its size.
    ///   - version: Its version, as in ``StoredObject/version``.
    /// - Throws: ``MediaStorageError`` if the file cannot be made.
    package func object(_ key: String, byteCount: Int64, version: String) async throws -> CachedObject {
        try MediaKey.check(key)
        guard (0...Self.maximumObjectByteCount).contains(byteCount) else {
            throw MediaStorageError(.invalidRequest, "objects have at most 5 TiB", operation: "open", key: key)
        }
        try await waitUntilLoaded()
        let name = CacheName(key: key, version: version)
        if let (number, path) = withState({ $0.openExisting(name, byteCount: byteCount) }) {
            return CachedObject(
                cache: self, number: number, key: key, version: version, byteCount: byteCount, path: path)
        }
        let new = "\(directory)/\(Self.fileName(name))"
        try await threads.blocking { try Self.makeFile(new, byteCount: byteCount) }
        let (number, path) = withState { $0.open(name, byteCount: byteCount, path: new) }
        let object = CachedObject(
            cache: self, number: number, key: key, version: version, byteCount: byteCount, path: path)
        // Another call was faster.
        if path != new { await remove([new]) }
        return object
    }

    private static let maximumObjectByteCount: Int64 = 5 << 40

    /// Gives up the blocks of all versions of an object, which has been deleted.
    package func forget(_ key: String) {
        update { state in
            state.forget(key)
            return CacheOutcome()
        }
    }

    /// - Returns: Whether all blocks are present, and have been leased.
    func beginReading(_ ranges: [Range<Int64>], of number: Int) -> Bool {
        let (isPresent, hasRequests) = state.withLock { state in
            let isPresent = state.beginReading(ranges, of: number)
            return (isPresent, state.hasRequests)
        }
        if hasRequests { wakeUp.yield() }
        return isPresent
    }

    func release(_ number: Int) {
        update { state in
            state.release(number)
            return CacheOutcome()
        }
    }

    private func waitUntilLoaded() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<Void, any Error>? = loading.withLock { loading in
                switch loading {
                case .done(let result): return result
                case .waiting(let others):
                    guard others.count < settings.maximumWaitingCallCount else {
                        return .failure(MediaStorageError(.busy, "the cache is starting; try again later"))
                    }
                    loading = .waiting(others + [continuation])
                    return nil
                }
            }
            if let result { continuation.resume(with: result) }
        }
    }

    private func loaded(_ result: Result<Void, any Error>) {
        let waiting = loading.withLock { loading -> [CheckedContinuation<Void, any Error>] in
            defer { loading = .done(result) }
            return if case .waiting(let waiting) = loading { waiting } else { [] }
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}
