import Glibc
package import NIOCore

/// The calls with which a ``RangeCache`` changes the content of its files. Tests put a full disk in its place.
package protocol CacheFileLayer: Sendable {
    /// Writes a block. Waits for the disk.
    func write(_ bytes: ByteBuffer, at offset: Int64, to path: String) throws

    /// Gives the disk space of a block back. Waits for the disk.
    func punchHole(at offset: Int64, byteCount: Int64, in path: String) throws
}
