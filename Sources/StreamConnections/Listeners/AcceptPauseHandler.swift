import Glibc
import NIOCore

/// Stands first in the pipeline of a listener. When the process has as many open files as it may have, accepting
/// pauses: the connection stays in the queue, so that the event loop would be told of it again and again. Errors of a
/// single connection do not end the listener.
final class AcceptPauseHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let onExhaustion: (any Error) -> Void
    private var isPaused = false
    private var nextReport = NIODeadline.uptimeNanoseconds(0)

    /// Time after which accepting is tried again.
    static let pause = TimeAmount.milliseconds(200)
    /// Interval of reports while files are short.
    static let reportInterval = TimeAmount.minutes(1)

    /// - Parameter onExhaustion: called when no more connections can be accepted for now, at most once in
    ///   ``reportInterval``.
    init(onExhaustion: @escaping (any Error) -> Void) { self.onExhaustion = onExhaustion }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch (error as? IOError)?.errnoCode {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: pause(context, error)
        // The client has left before it was accepted.
        case ECONNABORTED, ECONNRESET, EINVAL, EINTR, ENOTCONN: break
        default:
            // A listener that is open goes on, whatever happened to one connection.
            if !context.channel.isActive { context.fireErrorCaught(error) }
        }
    }

    private func pause(_ context: ChannelHandlerContext, _ error: any Error) {
        let now = context.eventLoop.now
        if now >= nextReport {
            nextReport = now + Self.reportInterval
            onExhaustion(error)
        }
        guard !isPaused else { return }
        isPaused = true
        try? context.channel.syncOptions?.setOption(.autoRead, value: false)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
            isPaused = false
            guard context.channel.isActive else { return }
            try? context.channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}
