package import ChannelPublishing
package import LiveChannels
package import Logging
import LogMetadata
package import NIOCore
package import NIOPosix
import NIOSSL
import ServiceLifecycle
package import StreamConnections
package import TransportSecurity

/// RTSP server for publishers and readers.
package final class RTSPServer: Service {
    private let environment: RTSPServerEnvironment
    private let identity: TLSIdentity?
    private let bound: EventLoopPromise<SocketAddress>
    private let boundSecurely: EventLoopPromise<SocketAddress>

    /// - Parameters:
    ///   - configuration: addresses, ports and limits.
    ///   - channels: the live channels.
    ///   - titles: titles that readers may play; if `nil`, only channels can be played.
    ///   - identity: TLS certificate and key; required if the configuration has a secure listener.
    ///   - threadPool: threads for reading titles from the disk.
    ///   - eventLoopGroup: a group of NIOPosix, because tracks may use UDP.
    ///   - admission: asks the accounts; `nil` for a server without any.
    ///   - logger: logger of the server.
    package init(
        configuration: RTSPServerConfiguration, channels: LiveChannelDirectory,
        titles: (any PlayableTitles)? = nil, identity: TLSIdentity? = nil, threadPool: NIOThreadPool = .singleton,
        eventLoopGroup: any EventLoopGroup, admission: (any StreamAdmission)? = nil, logger: Logger
    ) {
        environment = RTSPServerEnvironment(
            configuration: configuration, channels: channels, titles: titles, threadPool: threadPool,
            eventLoopGroup: eventLoopGroup, admission: admission, logger: logger)
        self.identity = identity
        bound = eventLoopGroup.any().makePromise(of: SocketAddress.self)
        boundSecurely = eventLoopGroup.any().makePromise(of: SocketAddress.self)
    }

    deinit {
        bound.fail(RTSPServerNotRunning())
        boundSecurely.fail(RTSPServerNotRunning())
    }

    /// The current values of the counters.
    package func statistics() -> RTSPServerStatistics { environment.counters.snapshot }

    /// Fetches a channel by RTSP.
    ///
    /// - Parameters:
    ///   - address: the stream.
    ///   - channel: the channel.
    ///   - usesUDP: whether media comes by UDP, and not on the connection.
    package func pull(_ address: RelayAddress, of channel: LiveChannel, usesUDP: Bool) -> RTSPPull {
        RTSPPull(address, of: channel, usesUDP: usesUDP, environment)
    }

    /// Address of the listener. Waits until ``run()`` has bound it, and throws if that failed.
    package func boundAddress() async throws -> SocketAddress { try await bound.futureResult.get() }

    /// Address of the TLS listener; throws if there is none.
    package func boundSecureAddress() async throws -> SocketAddress { try await boundSecurely.futureResult.get() }

    /// Serves until graceful shutdown or cancellation, then closes all connections.
    ///
    /// - Throws: ``RTSPListenerError`` if a listener cannot be bound.
    package func run() async throws {
        var listeners: [any Channel] = []
        do {
            let configuration = environment.configuration
            let listener = try await bind(host: configuration.host, port: configuration.port, identity: nil)
            listeners.append(listener)
            announce(listener, to: bound)
            environment.logger.info("RTSP listener started", metadata: [.listenerAddress: "\(Self.address(listener))"])
            if let secure = configuration.secure, let identity {
                let listener = try await bind(host: secure.host, port: secure.port, identity: identity)
                listeners.append(listener)
                announce(listener, to: boundSecurely)
                environment.logger.info(
                    "RTSPS listener started", metadata: [.listenerAddress: "\(Self.address(listener))"])
            } else {
                boundSecurely.fail(RTSPServerNotRunning())
            }
        } catch {
            bound.fail(error)
            boundSecurely.fail(error)
            for listener in listeners { try? await listener.close() }
            throw error
        }
        let open = listeners
        await withTaskCancellationOrGracefulShutdownHandler {
            for listener in open { try? await listener.closeFuture.get() }
        } onCancelOrGracefulShutdown: {
            for listener in open { listener.close(promise: nil) }
        }
        await environment.registry.closeAll()
    }

    private func announce(_ listener: any Channel, to promise: EventLoopPromise<SocketAddress>) {
        if let address = listener.localAddress {
            promise.succeed(address)
        } else {
            promise.fail(RTSPServerNotRunning())
        }
    }

    private static func address(_ listener: any Channel) -> String { listener.localAddress?.description ?? "" }

    private func bind(
        host: String, port: Int, identity: TLSIdentity?
    ) async throws(RTSPListenerError) -> any Channel {
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
            return try await bootstrap.bind(host: host, port: port).get()
        } catch {
            throw RTSPListenerError(listener: identity == nil ? .plain : .secure, cause: error)
        }
    }

    /// Takes over an accepted connection that turned out to use RTSP. Must be called on its event loop before the
    /// first bytes are passed on.
    ///
    /// - Throws: an error if there are too many connections; the caller closes the connection.
    package func accept(_ channel: any Channel) throws {
        try environment.registry.admit(channel, now: channel.eventLoop.now)
        try Self.addHandlers(to: channel, environment, isSecure: false)
    }

    private static func addHandlers(
        to channel: any Channel, _ environment: RTSPServerEnvironment, isSecure: Bool
    ) throws {
        try channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
        try channel.syncOptions?.setOption(.socketOption(.so_keepalive), value: 1)
        // A publisher that has closed its sending side has ended.
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
        try channel.pipeline.syncOperations.addHandler(
            RTSPConnectionHandler(environment: environment, channel: channel, isSecure: isSecure))
    }
}
