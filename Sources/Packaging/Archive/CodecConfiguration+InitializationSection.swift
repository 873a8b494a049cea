package import Codecs
import ISOBMFF
package import NIOCore

extension CodecConfiguration {
    /// What an initialization section of one track says.
    ///
    /// - Returns: `nil` where it is none, or of a codec that is not packaged.
    package init?(initializationSection: ByteBuffer) {
        guard let index = try? MovieIndex.read(from: BufferedMovie(buffer: initializationSection)),
            let configuration = index.tracks.first?.configuration
        else { return nil }
        self = configuration
    }
}

private struct BufferedMovie: RandomAccessData {
    var buffer: ByteBuffer

    struct OutOfRange: Error {}

    var byteCount: Int64 { Int64(buffer.readableBytes) }

    func read(at offset: Int64, count: Int) throws -> ByteBuffer {
        guard let start = Int(exactly: offset), start >= 0, count >= 0, start <= buffer.readableBytes - count,
            let slice = buffer.getSlice(at: buffer.readerIndex + start, length: count)
        else { throw OutOfRange() }
        return slice
    }
}
