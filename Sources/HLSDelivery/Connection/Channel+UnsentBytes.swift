import CAntenaSystem
import NIOCore

extension Channel {
    /// Number of bytes that wait to be sent or are not acknowledged by the peer; `nil` if it is not known. Must be
    /// called on the channel's event loop.
    var unsentByteCount: Int? {
        let queued = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            antena_unsent_byte_count($0)
        }
        guard let queued, queued >= 0 else { return nil }
        let buffered = (try? syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        return Int(queued) + buffered
    }
}
