import Glibc
package import NIOCore

/// The files of a ``RangeCache`` on a disk. A file is opened for each block, which costs little beside a mebibyte, so
/// that no descriptor stays open for an object that nobody reads.
package struct LocalCacheFileLayer: CacheFileLayer {
    package init() {}

    package func write(_ bytes: ByteBuffer, at offset: Int64, to path: String) throws {
        try LocalFile(path, flags: O_RDWR).write(bytes, at: offset)
    }

    package func punchHole(at offset: Int64, byteCount: Int64, in path: String) throws {
        try LocalFile(path, flags: O_RDWR).punchHole(at: offset, byteCount: byteCount)
    }
}
