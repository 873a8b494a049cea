import CAntenaSystem
import NIOCore
import Packaging

extension Channel {
    /// Number of bytes that wait to be sent or are not acknowledged by the peer; `nil` if it is not known. Must be
    /// called on the channel's event loop.
    var unsentByteCount: Int? {
        guard let socket = SocketDescriptor(self)?.usable else { return nil }
        let queued = antena_unsent_byte_count(socket)
        guard queued >= 0 else { return nil }
        let buffered = (try? syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        return Int(queued) + buffered
    }
}
