package import NIOCore
package import NIOPosix

extension ServerBootstrap {
    /// A listener that accepts on a thread of its own (``ListenQueue/loops``).
    ///
    /// - Parameter group: the event loops that serve the connections.
    package static func accepting(for group: any EventLoopGroup) -> ServerBootstrap {
        ServerBootstrap(group: ListenQueue.loops, childGroup: group)
    }

    /// Has a listener take connections as ``ListenQueue`` says, and stay when files run out (``AcceptPauseHandler``).
    ///
    /// - Parameters:
    ///   - onExhaustion: called when no more connections can be accepted for now; at most once in a while.
    ///   - initialize: adds more handlers to the listener.
    package func listening(
        onExhaustion: @escaping @Sendable (any Error) -> Void,
        initialize: @escaping @Sendable (any Channel) throws -> Void = { _ in }
    ) -> ServerBootstrap {
        serverChannelOption(.backlog, value: ListenQueue.length)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.maxMessagesPerRead, value: ListenQueue.acceptedCount)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPauseHandler(onExhaustion: onExhaustion))
                    try initialize(channel)
                }
            }
    }
}
