import NIOCore
import Packaging

/// The socket of an HTTP/1.1 connection without TLS, to which responses are written past the pipeline: it takes less
/// time than the way through all handlers. Confined to the connection's event loop.
final class ResponseSocket {
    private let channel: any Channel
    private let socket: SocketDescriptor
    /// False if bytes may be waiting in the channel, after which others must not be sent.
    private var isChannelKnownEmpty = false

    /// - Returns: `nil` if the channel has no socket, as a stream of HTTP/2 has none.
    init?(_ channel: any Channel) {
        guard let socket = SocketDescriptor(channel) else { return nil }
        self.channel = channel
        self.socket = socket
    }

    /// The descriptor if bytes that are sent to it now come after everything that was written before; otherwise `nil`.
    var free: NIOBSDSocket.Handle? { isChannelEmpty ? socket.usable : nil }

    /// True if everything that was written before has been sent.
    var isChannelEmpty: Bool {
        // Remembered, because asking takes as long as a short system call.
        if !isChannelKnownEmpty {
            isChannelKnownEmpty = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) == 0
        }
        return isChannelKnownEmpty
    }

    /// Notes that something is written through the pipeline.
    func noteChannelWrite() { isChannelKnownEmpty = false }

    /// Sends bytes if nothing waits in the channel, and moves the reader index past what was sent.
    ///
    /// An error leaves them as they are: it comes again when the channel writes, which then closes.
    func send(_ bytes: inout ByteBuffer) {
        if let free { _ = bytes.send(to: free, hasMore: false) }
    }
}
