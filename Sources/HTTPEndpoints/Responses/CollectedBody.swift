import HTTPTypes
import Hummingbird
import NIOCore

/// Collects the body of a response in memory. Its size has been checked before.
final class CollectedBody {
    /// Writes into a `CollectedBody`.
    struct Writer: ResponseBodyWriter {
        let target: CollectedBody

        mutating func write(_ buffer: ByteBuffer) { target.bytes += buffer.readableBytesView }

        consuming func finish(_ trailingHeaders: HTTPFields?) {}
    }

    private(set) var bytes: [UInt8] = []

    var writer: Writer { Writer(target: self) }
}
