package import LiveChannels
package import Logging
package import NIOCore
package import NIOPosix
import NIOSSL
import RTSPProtocol
import ServiceLifecycle
import Synchronization
package import TransportSecurity

/// Listens for publishers and readers.
package final class RTSPServer: Service {
    private let environment: RTSPServerEnvironment
    private let identity: TLSIdentity?
    private let bound: EventLoopPromise<SocketAddress>
    private let boundSecurely: EventLoopPromise<SocketAddress>

    /// - Parameters:
    ///   - titles: for readers; only channels are read where it is `nil`.
    ///   - identity: needed where the configuration has a secure listener.
    ///   - eventLoopGroup: of NIOPosix, because tracks may come by UDP.
    package init(
        configuration: RTSPServerConfiguration, channels: LiveChannelDirectory,
        titles: (any ReadableTitles)? = nil, identity: TLSIdentity? = nil, threadPool: NIOThreadPool = .singleton,
        eventLoopGroup: any EventLoopGroup, logger: Logger
    ) {
        environment = RTSPServerEnvironment(
            configuration: configuration, channels: channels, titles: titles, threadPool: threadPool,
            eventLoopGroup: eventLoopGroup, logger: logger)
        self.identity = identity
        bound = eventLoopGroup.any().makePromise(of: SocketAddress.self)
        boundSecurely = eventLoopGroup.any().makePromise(of: SocketAddress.self)
    }

    deinit {
        bound.fail(RTSPServerNotRunning())
        boundSecurely.fail(RTSPServerNotRunning())
    }

    package func statistics() -> RTSPServerStatistics { environment.counters.snapshot }

    /// Where it listens; waits for ``run()`` to have got there, and throws where that failed.
    package func boundAddress() async throws -> SocketAddress { try await bound.futureResult.get() }

    /// Where it listens for TLS; throws where it does not.
    package func boundSecureAddress() async throws -> SocketAddress { try await boundSecurely.futureResult.get() }

    /// Serves until graceful shutdown or cancellation, then ends all connections.
    ///
    /// - Throws: ``RTSPListenerError``
    package func run() async throws {
        var listeners: [any Channel] = []
        do {
            let configuration = environment.configuration
            let listener = try await bind(host: configuration.host, port: configuration.port, identity: nil)
            listeners.append(listener)
            announce(listener, to: bound, "RTSP listens")
            if let secure = configuration.secure, let identity {
                let listener = try await bind(host: secure.host, port: secure.port, identity: identity)
                listeners.append(listener)
                announce(listener, to: boundSecurely, "RTSP over TLS listens")
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

    private func announce(_ listener: any Channel, to promise: EventLoopPromise<SocketAddress>, _ message: String) {
        if let address = listener.localAddress {
            promise.succeed(address)
        } else {
            promise.fail(RTSPServerNotRunning())
        }
        environment.logger.info(
            "\(message)", metadata: ["address": "\(listener.localAddress?.description ?? "")"])
    }

    private func bind(
        host: String, port: Int, identity: TLSIdentity?
    ) async throws(RTSPListenerError) -> any Channel {
        let environment = self.environment
        let bootstrap = ServerBootstrap(group: environment.eventLoopGroup)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try environment.registry.admit(channel, now: channel.eventLoop.now)
                    if let identity {
                        let context = identity.context { error in
                            environment.logger.error("the new certificate is not used", metadata: ["error": "\(error)"])
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

    /// Takes a connection that somebody else has accepted and that turned out to speak RTSP. To be called on its event
    /// loop, before the first bytes are passed on.
    ///
    /// - Throws: where there are too many connections already; the caller closes this one.
    package func accept(_ channel: any Channel) throws {
        try environment.registry.admit(channel, now: channel.eventLoop.now)
        try Self.addHandlers(to: channel, environment, isSecure: false)
    }

    private static func addHandlers(
        to channel: any Channel, _ environment: RTSPServerEnvironment, isSecure: Bool
    ) throws {
        try channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
        try channel.syncOptions?.setOption(.socketOption(.so_keepalive), value: 1)
        // A publisher that has shut down its sending side has gone.
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
        try channel.pipeline.syncOperations.addHandler(
            RTSPConnectionHandler(environment: environment, channel: channel, isSecure: isSecure))
    }
}

/// Somebody asked for the address of a server that does not listen.
package struct RTSPServerNotRunning: Error, CustomStringConvertible {
    package var description: String { "the RTSP server does not listen" }
}

/// An address that the server cannot listen at.
package struct RTSPListenerError: Error, CustomStringConvertible {
    package enum Listener: Sendable {
        case plain
        /// For TLS.
        case secure
    }

    package let listener: Listener
    /// NIO's.
    package let cause: any Error

    package var description: String {
        "the \(listener == .plain ? "RTSP" : "RTSPS") listener cannot be opened: \(cause)"
    }
}

/// What every connection shares.
final class RTSPServerEnvironment: Sendable {
    let configuration: RTSPServerConfiguration
    let channels: LiveChannelDirectory
    let titles: (any ReadableTitles)?
    /// Where titles are read that the page cache does not have.
    let threadPool: NIOThreadPool
    let readerGroups = LiveReaderGroups()
    let ticks = ReceptionTickGroup()
    let eventLoopGroup: any EventLoopGroup
    let logger: Logger
    let counters: RTSPServerCounters
    let registry: ConnectionRegistry
    let ports: UDPPortAllocator
    /// By address, of all connections: a new one is no way around it.
    let failures = Mutex(AuthenticationFailureLimiter())

    init(
        configuration: RTSPServerConfiguration, channels: LiveChannelDirectory, titles: (any ReadableTitles)?,
        threadPool: NIOThreadPool, eventLoopGroup: any EventLoopGroup, logger: Logger
    ) {
        self.titles = titles
        self.threadPool = threadPool
        self.configuration = configuration
        self.channels = channels
        self.eventLoopGroup = eventLoopGroup
        self.logger = logger
        counters = RTSPServerCounters()
        registry = ConnectionRegistry(limits: configuration.limits, counters: counters, logger: logger)
        ports = UDPPortAllocator(range: configuration.udpPortRange)
    }
}
