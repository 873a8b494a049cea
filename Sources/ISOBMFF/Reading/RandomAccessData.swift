package import NIOCore

/// Bytes with random access: a file, or a buffer in tests.
package protocol RandomAccessData: Sendable {
    var byteCount: Int64 { get }

    /// Reads exactly `count` bytes from `offset`.
    ///
    /// - Throws: an error if the range is not entirely within the data, or if reading fails.
    func read(at offset: Int64, count: Int) throws -> ByteBuffer
}
