import HummingbirdCore
import Logging
import NIOCore

/// Wraps another kind of channel and enforces the connection limits.
struct LimitedChannel<Wrapped: ServerChildChannel>: ServerChildChannel {
    let wrapped: Wrapped
    let registry: HTTPConnectionRegistry

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Wrapped.Value> {
        do {
            try registry.admit(channel)
            return wrapped.setup(channel: channel, logger: logger)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    func handle(value: Wrapped.Value, logger: Logger) async { await wrapped.handle(value: value, logger: logger) }
}
