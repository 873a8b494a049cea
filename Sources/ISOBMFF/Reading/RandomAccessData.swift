package import NIOCore

/// Bytes that can be read anywhere: a file, or a buffer in tests.
package protocol RandomAccessData: Sendable {
    var byteCount: Int64 { get }

    /// Exactly `count` bytes from `offset` on.
    ///
    /// - Throws: where the range is not wholly inside, or reading fails.
    func read(at offset: Int64, count: Int) throws -> ByteBuffer
}
