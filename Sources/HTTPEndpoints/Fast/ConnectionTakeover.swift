import Glibc
package import NIOCore
import NIOPosix

/// Lets the connection of a response that does not end leave the HTTP server, whose handlers, task and buffers need far
/// more memory than the connection itself.
///
/// The socket is duplicated and becomes a channel of its own on the same event loop, without any handler; the channel
/// of the server is then closed, which does not end the TCP connection. It stands in the pipeline of each connection
/// that may leave, which is one of HTTP/1.1 without TLS, passes everything on, and is not on the way of responses.
///
/// Nothing more is read from a connection that has left: what the client has sent beyond its request, and what it sends
/// later, stays in the socket and is never answered. Its end is noticed.
package final class ConnectionTakeover: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    /// The outcome of a connection.
    package enum Outcome: Sendable, Hashable {
        /// It has left, and its request's task must end.
        case taken
        /// It was not wanted, its client has disconnected, or something has still to be sent; it may be tried again.
        case declined
        /// It cannot leave, for example because it uses TLS.
        case impossible
    }

    private let onMove: (any Channel) -> Void

    /// - Parameter onMove: called on the event loop with the new channel of the connection, before the old one is
    ///   closed.
    package init(onMove: @escaping (any Channel) -> Void) { self.onMove = onMove }

    /// Whether a connection may leave.
    ///
    /// - Parameter channel: the channel of a request.
    package static func isPossible(_ channel: any Channel) async -> Bool {
        let isPossible = channel.eventLoop.submit {
            (try? channel.pipeline.syncOperations.context(handlerType: ConnectionTakeover.self)) != nil
        }
        return (try? await isPossible.get()) ?? false
    }

    /// Takes a connection, unless its socket has not accepted all that was written to it.
    ///
    /// - Parameters:
    ///   - channel: the channel of a request, after the head of its response was written.
    ///   - limits: what the new channel may hold.
    ///   - accept: called on the event loop with the new channel, which has no handlers; returns whether the connection
    ///     is wanted. If it is not, everything is as it was.
    package static func take(
        _ channel: any Channel, limits: TakenConnectionLimits, accept: @escaping @Sendable (any Channel) -> Bool
    ) async -> Outcome {
        let outcome = channel.eventLoop.flatSubmit { () -> EventLoopFuture<Outcome> in
            guard
                let context = try? channel.pipeline.syncOperations.context(handlerType: ConnectionTakeover.self),
                let takeover = context.handler as? ConnectionTakeover
            else { return channel.eventLoop.makeSucceededFuture(.impossible) }
            return takeover.take(context, limits, accept)
        }
        return (try? await outcome.get()) ?? .impossible
    }

    private func take(
        _ context: ChannelHandlerContext, _ limits: TakenConnectionLimits,
        _ accept: @escaping @Sendable (any Channel) -> Bool
    ) -> EventLoopFuture<Outcome> {
        let channel = context.channel
        guard (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) == 0 else {
            return context.eventLoop.makeSucceededFuture(.declined)
        }
        guard channel.isActive, let socket = Self.duplicate(of: channel) else {
            return context.eventLoop.makeSucceededFuture(.impossible)
        }
        let connected = limits.bootstrap(on: context.eventLoop).withConnectedSocket(socket)
        return connected.assumeIsolated().map { [self] taken in
            guard channel.isActive, taken.isActive, accept(taken) else {
                // Closes the duplicate only.
                taken.close(promise: nil)
                return Outcome.declined
            }
            onMove(taken)
            context.close(promise: nil)
            return .taken
        }.nonisolated()
    }

    /// A duplicate of a channel's socket; `nil` if it has none, or if the process has too many open files.
    private static func duplicate(of channel: any Channel) -> NIOBSDSocket.Handle? {
        let duplicate = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable {
            (socket: NIOBSDSocket.Handle) in fcntl(socket, F_DUPFD_CLOEXEC, 0)
        }
        guard let duplicate, duplicate >= 0 else { return nil }
        return duplicate
    }
}
