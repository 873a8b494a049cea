import Glibc
import Logging
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import MediaStorage

/// A cache with blocks of 64 KiB in front of a ``FakeStore``.
struct CacheHarness: Sendable {
    static let block: Int64 = 64 << 10

    let folder: TemporaryDirectory
    let store = FakeStore()
    let disk = FakeDisk()
    let clock = TestClock()

    init() throws { folder = try TemporaryDirectory(label: "cache") }

    var directory: String { "\(folder.path)/cache" }

    static var settings: RangeCacheSettings {
        var settings = RangeCacheSettings()
        settings.blockByteCount = Int(block)
        settings.diskFullReserveByteCount = 2 * block
        return settings
    }

    /// Runs a cache while a test uses it, and shuts it down.
    func run<Value: Sendable>(
        blocks: Int64 = 64, settings: RangeCacheSettings = Self.settings,
        _ test: (RangeCache) async throws -> Value
    ) async throws -> Value {
        let cache = RangeCache(
            directory: directory, maximumByteCount: blocks * Self.block, store: store, threads: .singleton,
            settings: settings, clock: clock, files: disk,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await cache.run() }
            let value: Value
            do {
                value = try await test(cache)
            } catch {
                cache.shutDown()
                throw error
            }
            cache.shutDown()
            try await group.waitForAll()
            return value
        }
    }

    /// The bytes of a number of blocks.
    static func blocks(_ range: Range<Int64>) -> Range<Int64> {
        range.lowerBound * block..<range.upperBound * block
    }
}

extension CachedObject {
    /// Fetches ranges and waits.
    func fetched(_ ranges: Range<Int64>...) async throws {
        try await withCheckedThrowingContinuation { continuation in
            fetch(ranges) { continuation.resume(with: $0) }
        }
    }

    /// Reads a range from the file while it is leased; `nil` if it is not present.
    func leasedBytes(_ range: Range<Int64>) throws -> [UInt8]? {
        guard beginReading([range]) else { return nil }
        defer { endReading([range]) }
        let file = try LocalFile(path)
        return Array(try file.read(at: range.lowerBound, count: range.count).readableBytesView)
    }
}

/// The results of fetches, in the order in which they came.
final class FetchLog: Sendable {
    private let results = Mutex<[(name: String, error: MediaStorageError?)]>([])

    var names: [String] { results.withLock { $0.map(\.name) } }
    var codes: [MediaStorageError.Code?] { results.withLock { $0.map(\.error?.code) } }
    var count: Int { results.withLock { $0.count } }

    func entry(_ name: String = "") -> @Sendable (Result<Void, any Error>) -> Void {
        { result in
            var error: MediaStorageError?
            if case .failure(let failure) = result { error = failure as? MediaStorageError }
            self.results.withLock { $0.append((name, error)) }
        }
    }
}
