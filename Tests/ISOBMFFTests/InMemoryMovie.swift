import ISOBMFF
import NIOCore

/// A movie in memory instead of a file. Reads outside the data throw, as those of a file do.
struct InMemoryMovie: RandomAccessData {
    var buffer: ByteBuffer
    /// Size in bytes. If it is larger than the data, as in a sparse file, the rest reads as zeros.
    var byteCount: Int64

    struct OutOfRange: Error {}

    init(_ bytes: [UInt8], claimedByteCount: Int64? = nil) {
        buffer = ByteBuffer(bytes: bytes)
        byteCount = claimedByteCount ?? Int64(bytes.count)
    }

    func read(at offset: Int64, count: Int) throws -> ByteBuffer {
        guard offset >= 0, count >= 0, offset <= byteCount - Int64(count) else { throw OutOfRange() }
        let available = max(0, min(count, buffer.readableBytes - Int(offset)))
        var result = ByteBuffer()
        if available > 0, let slice = buffer.getSlice(at: Int(offset), length: available) {
            result.writeImmutableBuffer(slice)
        }
        result.writeRepeatingByte(0, count: count - available)
        return result
    }
}
