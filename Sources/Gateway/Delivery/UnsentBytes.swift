import CAntenaSystem
import NIOCore

extension Channel {
    /// Bytes that wait in a connection to be sent, or that the peer has not acknowledged; `nil` when it cannot be told.
    /// On the channel's event loop.
    var unsentByteCount: Int? {
        let queued = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            antena_unsent_byte_count($0)
        }
        guard let queued, queued >= 0 else { return nil }
        let buffered = (try? syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        return Int(queued) + buffered
    }
}
