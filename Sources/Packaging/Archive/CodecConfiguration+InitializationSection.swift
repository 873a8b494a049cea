package import Codecs
import ISOBMFF
package import NIOCore

extension CodecConfiguration {
    /// Reads the configuration from the initialization section of one track.
    ///
    /// - Returns: `nil` if the section is invalid, or of an unsupported codec.
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
