package import LiveChannels
package import Logging
import LogMetadata
package import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle
package import StreamConnections
package import TransportSecurity

/// RTMP server for publishers and players.
package final class RTMPServer: Service {
    private let environment: RTMPServerEnvironment
    private let identity: TLSIdentity?
    private let onListening: @Sendable (RTMPListenerError.Listener, SocketAddress) -> Void

    /// - Parameters:
    ///   - configuration: listeners and limits.
    ///   - channels: the live channels.
    ///   - identity: certificate and key; required if the configuration has a secure listener.
    ///   - eventLoopGroup: the event loops that serve the connections.
    ///   - admission: asks the accounts; `nil` for a server without any.
    ///   - logger: logger of the server.
    ///   - onListening: called with the address of each listener when it is open.
    package init(
        configuration: RTMPServerConfiguration, channels: LiveChannelDirectory, identity: TLSIdentity? = nil,
        eventLoopGroup: any EventLoopGroup, admission: (any StreamAdmission)? = nil, logger: Logger,
        onListening: @escaping @Sendable (RTMPListenerError.Listener, SocketAddress) -> Void = { _, _ in }
    ) {
        environment = RTMPServerEnvironment(
            configuration: configuration, channels: channels, eventLoopGroup: eventLoopGroup, admission: admission,
            logger: logger)
        (self.identity, self.onListening) = (identity, onListening)
    }

    /// The current values of the counters.
    package func statistics() -> RTMPServerStatistics { environment.counters.snapshot }

    /// Serves until graceful shutdown or cancellation, then closes all connections.
    ///
    /// - Throws: ``RTMPListenerError`` if a listener cannot be bound.
    package func run() async throws {
        let configuration = environment.configuration
        var listeners: [any Channel] = []
        do {
            if let plain = configuration.plain { listeners.append(try await bind(plain, .plain, identity: nil)) }
            if let secure = configuration.secure, let identity {
                listeners.append(try await bind(secure, .secure, identity: identity))
            }
        } catch {
            for listener in listeners { try? await listener.close() }
            throw error
        }
        // A server that only has the shared port waits for its end as well, to end its connections.
        let open = listeners
        let ended = environment.eventLoopGroup.any().makePromise(of: Void.self)
        await withTaskCancellationOrGracefulShutdownHandler {
            try? await ended.futureResult.get()
        } onCancelOrGracefulShutdown: {
            for listener in open { listener.close(promise: nil) }
            ended.succeed()
        }
        await environment.registry.closeAll()
    }

    private func bind(
        _ address: RTMPServerConfiguration.Listener, _ kind: RTMPListenerError.Listener, identity: TLSIdentity?
    ) async throws(RTMPListenerError) -> any Channel {
        let environment = self.environment
        let bootstrap = ServerBootstrap.accepting(for: environment.eventLoopGroup)
            .listening { error in
                environment.logger.warning(
                    "connections cannot be accepted at the moment; will retry", metadata: [.error: "\(error)"])
            }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try environment.registry.admit(channel, now: channel.eventLoop.now)
                    if let identity {
                        let context = identity.context { error in
                            environment.logger.error(
                                "new certificate is not valid; keeping the previous one", metadata: [.error: "\(error)"]
                            )
                        }
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    try Self.addHandlers(to: channel, environment, isSecure: identity != nil)
                }
            }
        do {
            let listener = try await bootstrap.bind(host: address.host, port: address.port).get()
            let address = "\(listener.localAddress?.description ?? "")"
            switch kind {
            case .plain: environment.logger.info("RTMP listener started", metadata: [.listenerAddress: "\(address)"])
            case .secure: environment.logger.info("RTMPS listener started", metadata: [.listenerAddress: "\(address)"])
            }
            if let local = listener.localAddress { onListening(kind, local) }
            return listener
        } catch {
            throw RTMPListenerError(listener: kind, cause: error)
        }
    }

    /// Takes over an accepted connection that turned out to use RTMP. Must be called on its event loop before the first
    /// bytes are passed on.
    ///
    /// - Throws: an error if there are too many connections; the caller closes the connection.
    package func accept(_ channel: any Channel) throws {
        try environment.registry.admit(channel, now: channel.eventLoop.now)
        try Self.addHandlers(to: channel, environment, isSecure: false)
    }

    private static func addHandlers(
        to channel: any Channel, _ environment: RTMPServerEnvironment, isSecure: Bool
    ) throws {
        try channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
        try channel.syncOptions?.setOption(.socketOption(.so_keepalive), value: 1)
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
        try channel.pipeline.syncOperations.addHandler(
            RTMPConnectionHandler(environment: environment, channel: channel, isSecure: isSecure))
    }
}
