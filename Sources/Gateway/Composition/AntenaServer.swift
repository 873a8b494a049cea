import Accounts
import Database
import Features
import Foundation
import HTTPEndpoints
import LiveChannels
package import Logging
import LogMetadata
import Mail
import NIOPosix
package import ServerSettings
import ServiceLifecycle
import TransportSecurity
import UnixSignals

/// The whole server, composed of catalogue, library, channels, RTSP and HTTP.
package struct AntenaServer: Sendable {
    private let configuration: ServerConfiguration
    private let channelsFile: ChannelsFile
    /// The bytes of `channels.json` as loaded.
    private let channelsText: [UInt8]
    /// The certificate of RTSPS; ``webIdentity`` is made of the same files for HTTPS.
    private let identity: TLSIdentity?
    private let webIdentity: TLSIdentity?
    /// The username and the password at the mail server.
    private let mailCredential: SMTPCredential?
    private let logger: Logger

    /// Reads and checks the whole configuration before anything starts.
    ///
    /// - Throws: `SettingError`, `JSONFileError`, `TLSIdentityError`
    package init(configuration: ServerConfiguration, logger: Logger) throws {
        self.configuration = configuration
        self.logger = logger
        try configuration.checkMediaDirectory()
        channelsText = try ChannelsFile.read(path: configuration.channelsFile)
        channelsFile = try ChannelsFile.parse(channelsText, file: configuration.channelsFile)
        mailCredential = try configuration.mail?.credential()
        identity = try configuration.tls.map { try TLSIdentity(certificatePath: $0.certificate, keyPath: $0.key) }
        webIdentity = try configuration.tls.map {
            try TLSIdentity(
                certificatePath: $0.certificate, keyPath: $0.key,
                applicationProtocols: HTTPSChannel.applicationProtocols)
        }
    }

    /// The output of `antena serve --check`: the resulting settings.
    package var summary: String { serveSummary.text }

    private var serveSummary: ServeSummary { ServeSummary(configuration: configuration, channelsFile: channelsFile) }

    /// Serves until SIGTERM or SIGINT; SIGHUP reloads `channels.json`.
    ///
    /// - Throws: `ServerStartError` and errors of the server's parts.
    package func run() async throws {
        let machine = MachineSetUp(logger: logger).prepare(serveSummary)
        let base = try await ServerBase.open(configuration, channelsFile, mailCredential, logger)
        var parts = try await Features.open(on: base.ground)
        try await requireAdministrator(parts.require(Accounts.self))
        let ports = makePorts()
        let access = try await ServerAccess.open(base, parts)
        let media = try await ServerMedia.open(base, parts, access, identity: identity, ports)
        let delivery = media.delivery(base, access, &parts)
        let reloader = ChannelsReloader(
            configuration: configuration, parts: media.reloadedParts(base), text: channelsText, logger: logger)
        let station = media.station(base, access, parts, delivery: delivery, reloader: reloader, ports: ports)
        let features = FeatureSet(station)
        features.attend(to: access.accounts)
        media.current.whenReplaced { [configuration] file in features.use(file, configuration) }
        let http = HTTPListeners(
            configuration: configuration, delivery: delivery, endpoints: features.table, rtsp: media.rtsp,
            rtmp: media.rtmp,
            webSocket: WebSocketUpgrade(ingest: media.ingest, publicAddress: configuration.publicAddress),
            identity: webIdentity, ports: ports, group: base.group,
            connections: HTTPConnectionRegistry(
                limits: HTTPConnectionPlaces.Limits(openFileLimit: machine.openFileLimit), logger: logger),
            budget: RequestBudget(),
            isOperator: { [access] fields, peer in await access.authority.isOperator(fields, from: peer) },
            logger: logger)
        // Services stop in reverse order: HTTP before what requests in flight need.
        var services = base.services + [try parts.require(IdentityService.self)]
        services += media.services(configuration, ports)
        services += http.services
        services += media.watchers(delivery)
        services += features.services(on: base.ground)
        services.append(ReloadService(reloader: reloader, logger: logger))
        services.append(ShutdownDeadline(eventLoop: base.group.any(), logger: logger))
        try await serve(services)
        media.close()
        await features.finish { error in
            logger.warning("final changes could not be written at shutdown", metadata: [.error: "\(error)"])
        }
        media.store.flush()
        await base.close()
        logger.info("server stopped")
    }

    private func serve(_ services: [any Service]) async throws {
        var group = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = ShutdownDeadline.graceful
        do {
            try await ServiceGroup(configuration: group).run()
        } catch is CancellationError {
            // Services that did not stop within the graceful time were cancelled.
        }
    }

    /// Refuses to serve other machines while nobody can administer the server.
    private func requireAdministrator(_ accounts: Accounts) async throws {
        guard configuration.isPublic, try await !accounts.hasAdministrator() else { return }
        throw ServerStartError(
            """
            the server does not start with --public, because there is no administrator account; start it once without \
            --public, and run: antena user add NAME --role administrator, or open the set-up link in its log
            """)
    }

    private func makePorts() -> ListenerPorts {
        let publicURLs =
            configuration.isPublic
            ? PublicURLs(
                configuration: configuration, channel: channelsFile.channels.first,
                addresses: NetworkAddresses.current()) : nil
        var awaited: Set<ListenerName> = [.http, .rtsp]
        if configuration.https != nil { awaited.insert(.https) }
        if configuration.rtsps != nil { awaited.insert(.rtsps) }
        if configuration.rtmp != nil { awaited.insert(.rtmp) }
        if configuration.rtmps != nil { awaited.insert(.rtmps) }
        if configuration.srt != nil { awaited.insert(.srt) }
        if configuration.wowzaPort != nil { awaited.insert(.wowza) }
        return ListenerPorts(awaiting: awaited) { [configuration, logger] ports in
            let sorted = ListenerName.allCases.compactMap { name in ports[name].map { (name, $0) } }
            logger.info(
                "server started", metadata: LogValues(uniqueKeysWithValues: sorted.map { ($0.logKey, "\($1)") }))
            if let publicURLs {
                // Standard output is reserved for --print-ports; the reader of either may be gone.
                try? FileHandle.standardError.write(contentsOf: Data("\(publicURLs.text(ports))\n".utf8))
            }
            guard configuration.printsPorts else { return }
            let fields = sorted.map { "\"\($0.rawValue)\":\($1)" }.joined(separator: ",")
            try? FileHandle.standardOutput.write(contentsOf: Data("{\(fields)}\n".utf8))
        }
    }
}
