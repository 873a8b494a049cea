package import LiveChannels
package import Logging
package import NIOCore
import NIOPosix
import RTSPProtocol
import ServiceLifecycle
import Synchronization

/// Listens for publishers.
package final class RTSPServer: Service {
    private let environment: RTSPServerEnvironment
    private let bound: EventLoopPromise<SocketAddress>

    /// - Parameter eventLoopGroup: of NIOPosix, because tracks may come by UDP.
    package init(
        configuration: RTSPServerConfiguration, channels: LiveChannelDirectory, eventLoopGroup: any EventLoopGroup,
        logger: Logger
    ) {
        environment = RTSPServerEnvironment(
            configuration: configuration, channels: channels, eventLoopGroup: eventLoopGroup, logger: logger)
        bound = eventLoopGroup.any().makePromise(of: SocketAddress.self)
    }

    deinit { bound.fail(RTSPServerNotRunning()) }

    package func statistics() -> RTSPServerStatistics { environment.counters.snapshot }

    /// Where it listens; waits for ``run()`` to have got there, and throws where that failed.
    package func boundAddress() async throws -> SocketAddress { try await bound.futureResult.get() }

    /// Serves until graceful shutdown or cancellation, then ends all pushes.
    package func run() async throws {
        let listener: any Channel
        do {
            listener = try await bind()
        } catch {
            bound.fail(error)
            throw error
        }
        if let address = listener.localAddress { bound.succeed(address) } else { bound.fail(RTSPServerNotRunning()) }
        environment.logger.info("RTSP listens", metadata: ["address": "\(listener.localAddress?.description ?? "")"])
        await withTaskCancellationOrGracefulShutdownHandler {
            try? await listener.closeFuture.get()
        } onCancelOrGracefulShutdown: {
            listener.close(promise: nil)
        }
        await environment.registry.closeAll()
    }

    private func bind() async throws -> any Channel {
        let environment = self.environment
        return try await ServerBootstrap(group: environment.eventLoopGroup)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try environment.registry.admit(channel)
                    try channel.pipeline.syncOperations.addHandler(
                        RTSPConnectionHandler(environment: environment, channel: channel))
                }
            }
            .bind(host: environment.configuration.host, port: environment.configuration.port)
            .get()
    }
}

/// Somebody asked for the address of a server that does not listen.
package struct RTSPServerNotRunning: Error, CustomStringConvertible {
    package var description: String { "the RTSP server does not listen" }
}

/// What every connection shares.
final class RTSPServerEnvironment: Sendable {
    let configuration: RTSPServerConfiguration
    let channels: LiveChannelDirectory
    let eventLoopGroup: any EventLoopGroup
    let logger: Logger
    let counters: RTSPServerCounters
    let registry: ConnectionRegistry
    let ports: UDPPortAllocator

    init(
        configuration: RTSPServerConfiguration, channels: LiveChannelDirectory,
        eventLoopGroup: any EventLoopGroup, logger: Logger
    ) {
        self.configuration = configuration
        self.channels = channels
        self.eventLoopGroup = eventLoopGroup
        self.logger = logger
        counters = RTSPServerCounters()
        registry = ConnectionRegistry(limits: configuration.limits, counters: counters, logger: logger)
        ports = UDPPortAllocator(range: configuration.udpPortRange)
    }
}
