import Logging
import LogMetadata
import NIOCore
import NIOHTTP2
import NIOHTTPTypesHTTP2

/// Closes connections after a GOAWAY, which NIO's handlers do not do: at once if it reports an error, otherwise after a
/// timeout.
final class HTTP2ConnectionCloser: NIOHTTP2FrameDelegate {
    private let channel: any Channel
    private let timeout: Duration
    private let logger: Logger
    private var isClosing = false

    init(channel: any Channel, timeout: Duration, logger: Logger) {
        self.channel = channel
        self.timeout = timeout
        self.logger = logger
    }

    func wroteFrame(_ frame: HTTP2Frame) {
        guard case .goAway(_, let code, _) = frame.payload else { return }
        guard code == .noError else {
            logger.debug(
                "HTTP/2 connection refused",
                metadata: [.peerAddress: "\(channel.remoteAddress?.description ?? "")", .http2ErrorCode: "\(code)"])
            // The frame is flushed after this call returns.
            return channel.eventLoop.execute { [channel] in channel.closeAtOnce() }
        }
        guard !isClosing else { return }
        isClosing = true
        let end = channel.eventLoop.scheduleTask(in: TimeAmount(timeout)) { [channel] in channel.closeAtOnce() }
        channel.closeFuture.whenComplete { _ in end.cancel() }
    }
}
