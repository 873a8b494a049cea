import HTTPEndpoints
import HummingbirdCore
import Logging
import NIOCore

/// Wraps another kind of channel and enforces the connection limits.
struct LimitedChannel<Wrapped: ServerChildChannel>: ServerChildChannel {
    let wrapped: Wrapped
    let registry: HTTPConnectionRegistry
    /// Whether connections may leave the HTTP server (`ConnectionTakeover`): those of HTTP/1.1 without TLS.
    var canBeTaken = false

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Wrapped.Value> {
        do {
            let counted = try registry.admit(channel)
            if canBeTaken {
                try channel.pipeline.syncOperations.addHandler(ConnectionTakeover { counted.move(to: $0) })
            }
            return wrapped.setup(channel: channel, logger: logger)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    func handle(value: Wrapped.Value, logger: Logger) async { await wrapped.handle(value: value, logger: logger) }
}
