import Glibc
import NIOCore
import Synchronization

@testable import MediaStorage

/// A disk that is full when a test says so.
final class FakeDisk: CacheFileLayer {
    private let disk = LocalCacheFileLayer()
    /// Writes that fail before one succeeds again.
    private let failureCount = Mutex(0)
    private let holes = Mutex(0)

    var holeCount: Int { holes.withLock { $0 } }

    func failWrites(_ count: Int) { failureCount.withLock { $0 = count } }

    func write(_ bytes: ByteBuffer, at offset: Int64, to path: String) throws {
        let fails = failureCount.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        if fails { throw LocalFile.failure(path, "write", ENOSPC) }
        try disk.write(bytes, at: offset, to: path)
    }

    func punchHole(at offset: Int64, byteCount: Int64, in path: String) throws {
        holes.withLock { $0 += 1 }
        try disk.punchHole(at: offset, byteCount: byteCount, in: path)
    }
}
