import Catalogue
import Foundation
import Hummingbird
import HummingbirdCore
import LiveChannels
package import Logging
import NIOCore
import NIOPosix
import RTSPServer
import ServiceLifecycle
import UnixSignals
import VODLibrary

/// A whole server, composed: catalogue, library, channels, RTSP in, HTTP out.
package struct AntenaServer: Sendable {
    private let configuration: ServerConfiguration
    private let channelsFile: ChannelsFile
    private let logger: Logger

    /// Reads and checks everything that can be wrong before anything starts.
    ///
    /// - Throws: ``ConfigurationError``
    package init(configuration: ServerConfiguration, logger: Logger) throws {
        self.configuration = configuration
        self.logger = logger
        channelsFile = try ChannelsFile.load(path: configuration.channelsFile)
    }

    /// For `antena serve --check`: what would run.
    package var summary: String {
        ServeSummary(configuration: configuration, channelsFile: channelsFile).text
    }

    /// Serves until SIGTERM or SIGINT.
    ///
    /// - Throws: ``ServerStartError`` and what the parts throw.
    package func run() async throws {
        let data = try DataDirectory(path: configuration.dataDirectory)
        // Playlists, parts and segments are made and sent on the event loops; everything else may wait for them.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
        let catalogue = try Catalogue(path: data.path(of: "catalogue.sqlite"))
        let library = try makeLibrary(data, catalogue)
        let store = try FileChannelStateStore(directory: data.path(of: "channels"), logger: logger)
        let directory = LiveChannelDirectory(
            configurations: channelsFile.channels, store: store, logger: logger)
        let ports = ListenerPorts { [configuration, logger] http, rtsp in
            logger.info("serving", metadata: ["http.port": "\(http)", "rtsp.port": "\(rtsp)"])
            guard configuration.printsPorts else { return }
            FileHandle.standardOutput.write(Data("{\"http\":\(http),\"rtsp\":\(rtsp)}\n".utf8))
        }
        let rtsp = RTSPServer(
            configuration: RTSPServerConfiguration(host: configuration.rtsp.host, port: configuration.rtsp.port),
            channels: directory, eventLoopGroup: group, logger: logger)
        let content = ServerContent(directory: directory, catalogue: catalogue, library: library, rtsp: rtsp)
        let delivery = MediaDelivery(
            channels: directory, titles: LibraryTitleSource(catalogue: catalogue, library: library),
            threadPool: .singleton)
        // Told to stop in the reverse order: HTTP first, so that requests in flight find everything still there.
        var services = ServiceGroupConfiguration(
            services: [
                library,
                ListeningService(
                    service: PortReportingService(server: rtsp, ports: ports), flag: "--rtsp",
                    endpoint: configuration.rtsp),
                makeHTTP(content, delivery, group, ports),
                IdleMemoryService(library: library),
                ShutdownDeadline(eventLoop: group.any(), logger: logger),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        services.maximumGracefulShutdownDuration = ShutdownDeadline.graceful
        do {
            try await ServiceGroup(configuration: services).run()
        } catch is CancellationError {
            // What did not end within the graceful time was cancelled.
        }
        directory.close()
        store.flush()
        withExtendedLifetime(data) {}
    }

    // MARK: Parts

    private func makeLibrary(_ data: DataDirectory, _ catalogue: Catalogue) throws -> VODLibrary {
        try VODLibrary(
            configuration: VODLibraryConfiguration(
                mediaDirectory: configuration.mediaDirectory, dataDirectory: data.path,
                workerExecutable: "/proc/self/exe"),
            catalogue: catalogue, logger: logger)
    }

    private func makeHTTP(
        _ content: ServerContent, _ delivery: MediaDelivery, _ group: MultiThreadedEventLoopGroup,
        _ ports: ListenerPorts
    ) -> some Service {
        let endpoints = GatewayEndpoints(
            content: content, presets: channelsFile.presets,
            rtspPort: { [configuration] in
                ports.rtsp ?? configuration.rtsp.port
            })
        // The delivery handler sees every request and so watches for idle connections; Hummingbird's own watch would
        // close those that only fetch media.
        let http1 = HTTP1Channel.Configuration(
            additionalChannelHandlers: [MediaDeliveryHandler(delivery: delivery)], idleTimeout: nil,
            httpDecoderConfiguration: HTTPLimits.decoder)
        let application = Application(
            router: endpoints.table.router(), server: .http1(configuration: http1),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.http.host, port: configuration.http.port), serverName: Product.name),
            onServerRunning: { channel in ports.set(http: channel.localAddress?.port ?? 0) },
            eventLoopGroupProvider: .shared(group), logger: logger)
        return ListeningService(service: application, flag: "--http", endpoint: configuration.http)
    }
}

/// What a stranger may make the HTTP server hold.
enum HTTPLimits {
    /// Browsers stay below 8 KB; cookies of other programs on the same host are counted in.
    static let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
        maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100)
}

/// The RTSP server, which tells its port as soon as it has one.
private struct PortReportingService: Service {
    let server: RTSPServer
    let ports: ListenerPorts

    func run() async throws {
        async let reported: Void = {
            guard let port = try? await server.boundAddress().port else { return }
            ports.set(rtsp: port)
        }()
        try await server.run()
        await reported
    }
}
