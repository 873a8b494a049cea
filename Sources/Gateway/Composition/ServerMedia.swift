import FastPathSwitch
import APIContract
import Accounts
import Catalogue
import Community
import Events
import Features
import HLSDelivery
import HTTPClients
import HTTPEndpoints
import Idempotency
import LibraryCore
import LiveChannels
import LiveWorkers
import Logging
import MediaAccess
import MediaCore
import MediaStorage
import NIOCore
import StreamConnections
import WebAPI
import RTMPServer
import RTSPServer
import LibSRT
import SRTServer
import StreamRelays
import WebIngest
import ServerSettings
import ServiceLifecycle
import TransportSecurity
import VODLibrary
import VideoClub
import Workflows

/// The media of a server: the library, the live channels, the titles that are sent, and RTSP.
struct ServerMedia: Sendable {
    let current: CurrentChannelsFile
    let directory: LiveChannelDirectory
    let library: VODLibrary
    let titleKeys: TitleKeys
    let store: FileChannelStateStore
    let rtsp: RTSPServer
    let rtmp: RTMPServer
    let srt: SRTServer?
    let relays: StreamRelays
    let ingest: IngestServer
    private let srtEngine: SRTEngineHolder
    private let archive: ArchiveWriter
    private let slates: LibrarySlates
    private let pictures: ChannelPictures
    private let titles: LibraryTitleSource
    private let catalogue: Catalogue
    private let mediaStore: MediaStoreService?

    /// The running program, even if its file has been replaced.
    private static let workerExecutable = "/proc/self/exe"

    // MARK: Opening

    /// - Parameters:
    ///   - base: what the server stands on.
    ///   - parts: its domains.
    ///   - access: who may do what.
    ///   - identity: the certificate of RTSPS and RTMPS; `nil` for a server without it.
    ///   - ports: learns the ports of the RTMP listeners.
    static func open(
        _ base: ServerBase, _ parts: Parts, _ access: ServerAccess, identity: TLSIdentity?, _ ports: ListenerPorts
    ) async throws -> ServerMedia {
        let (data, threads) = (base.data, base.threads)
        let (configuration, logger) = (base.configuration, base.logger)
        let catalogue = try parts.require(Catalogue.self)
        let titleKeys = try TitleKeys(
            directory: data.path(of: "keys"), defaultMethod: base.channelsFile.titleEncryption, logger: logger)
        let mediaStore = try await MediaStoreStart(
            configuration: configuration, database: base.ground.database, threads: threads.storing, logger: logger
        ).open(dataDirectory: data.path, recordingsDirectory: data.path(of: "recordings"))
        let library = try makeLibrary(base, catalogue, titleKeys, mediaStore)
        let store = try FileChannelStateStore(directory: data.path(of: "channels"), logger: logger)
        let slates = LibrarySlates(library: library)
        let observer = ChannelEvents.observer(try parts.require(EventJournal.self))
        let archive = try ArchiveWriter(
            directory: data.path(of: "archive"), recordingsDirectory: data.path(of: "recordings"),
            observer: observer, logger: logger)
        let directory = LiveChannelDirectory(
            configurations: base.channelsFile.channels,
            with: ChannelEquipment(
                store: store,
                transcoders: LiveWorkerTranscoders(
                    group: base.group, executable: workerExecutable, threadPool: threads.starting, logger: logger),
                ladders: LiveWorkerLadders(
                    group: base.group, executable: workerExecutable, threadPool: threads.starting,
                    slots: TranscodingSlots(
                        configuration.transcodingSlots
                            ?? System.coreCount * TranscodingSlots.slotsPerProcessor), logger: logger),
                slates: slates, archive: archive, observer: observer), logger: logger)
        let pictures = ChannelPictures(
            of: directory, group: base.group, executable: workerExecutable, threadPool: threads.starting,
            logger: logger)
        let titles = LibraryTitleSource(
            catalogue: catalogue, library: library,
            extras: LibraryTitleExtras(keys: titleKeys, threadPool: threads.opening, logger: logger))
        let admission = AccountsStreamAdmission(viewing: access.viewing, publishing: access.publishing)
        let rtsp = RTSPServer(
            configuration: RTSPServerConfiguration(
                host: configuration.rtsp.host, port: configuration.rtsp.port,
                secure: configuration.rtsps.map { .init(host: $0.host, port: $0.port) },
                udpPortRange: configuration.udpPorts),
            channels: directory, titles: titles, identity: identity, threadPool: threads.reading,
            eventLoopGroup: base.group, admission: admission, logger: logger)
        let rtmp = RTMPServer(
            configuration: RTMPServerConfiguration(
                plain: configuration.rtmp.map { .init(host: $0.host, port: $0.port) },
                secure: configuration.rtmps.map { .init(host: $0.host, port: $0.port) }),
            channels: directory, identity: identity, eventLoopGroup: base.group, admission: admission, logger: logger
        ) { listener, address in
            ports.set(listener == .plain ? .rtmp : .rtmps, port: address.port)
        }
        let engine = SRTEngineHolder()
        let srt = try configuration.srt.map { endpoint in
            SRTServer(
                configuration: SRTServerConfiguration(host: endpoint.host, port: endpoint.port),
                engine: try openEngine(engine, endpoint), channels: directory, eventLoopGroup: base.group,
                admission: admission, logger: logger
            ) { ports.set(.srt, port: $0.port) }
        }
        let relays = StreamRelays(
            channels: directory,
            means: StreamRelays.Means(
                eventLoopGroup: base.group, rtsp: rtsp, srt: { try engine.engine() },
                fetching: HTTPRelayFetcher(hosts: CheckedHosts(policy: .anyAddress))), logger: logger)
        return ServerMedia(
            current: CurrentChannelsFile(base.channelsFile), directory: directory, library: library,
            titleKeys: titleKeys, store: store, rtsp: rtsp, rtmp: rtmp, srt: srt, relays: relays,
            ingest: IngestServer(channels: directory, admission: admission, logger: logger), srtEngine: engine,
            archive: archive, slates: slates,
            pictures: pictures, titles: titles, catalogue: catalogue, mediaStore: mediaStore)
    }

    private static func openEngine(
        _ holder: SRTEngineHolder, _ endpoint: SocketEndpoint
    ) throws(ServerStartError) -> SRTEngine {
        do {
            return try holder.engine()
        } catch {
            throw ServerStartError("--srt \(endpoint): \(error)")
        }
    }

    private static func makeLibrary(
        _ base: ServerBase, _ catalogue: Catalogue, _ keys: TitleKeys, _ store: MediaStoreService?
    ) throws -> VODLibrary {
        let configuration = base.configuration
        var library = VODLibraryConfiguration(
            mediaDirectory: configuration.mediaDirectory, dataDirectory: base.data.path,
            recordingsDirectory: base.data.path(of: "recordings"), workerExecutable: workerExecutable,
            maximumConcurrentJobCount: configuration.jobs, ladder: LadderPolicy(base.channelsFile))
        library.hasChoice = { keys.hasChoice(ofTitle: $0) }
        return try VODLibrary(
            configuration: library, catalogue: catalogue,
            fetcher: HTTPMediaFetcher(hosts: CheckedHosts(policy: AddressPolicy(configuration))),
            threads: base.threads.libraryThreads, files: LibraryFiles(stored: store?.files), scanClock: BeatClock(),
            logger: base.logger)
    }

    // MARK: Serving

    /// Makes the delivery of media to players. The parts that it needs for it are added to those of the server.
    func delivery(_ base: ServerBase, _ access: ServerAccess, _ parts: inout Parts) -> MediaDelivery {
        let views = parts[Community.self].map { VideoViewObserver(community: $0, authority: access.authority) }
        parts[VideoViewObserver.self] = views
        let audience = TitleAudience(wallClock: base.ground.wallClock) { [authority = access.authority] in
            authority.client($0, behind: $1)
        }
        parts.add(audience)
        if FastPaths.takes(.eventCrowd) {
            parts[EventCrowd.self] = parts[EventJournal.self].map {
                EventCrowd(journal: $0, authority: access.authority)
            }
        }
        parts.add(
            OfflineCopies(
                club: access.club, key: base.ground.keys.key(.copies),
                source: LibraryCopySource(
                    titles: titles, planning: base.threads.opening, reading: base.threads.reading)))
        return MediaDelivery(
            channels: directory, titles: titles, threadPool: base.threads.reading,
            transportStreams: TransportStreamMuxing(LibAVTransportStreams(), on: base.threads.muxing),
            viewing: AccountsViewing(gate: access.viewing, authority: access.authority),
            playback: PlaybackObservers([audience] + (views.map { [$0] } ?? [])),
            crossOrigin: base.configuration.mediaCrossOrigin, statistics: base.statistics.delivery)
    }

    /// The parts that a reload of `channels.json` changes.
    func reloadedParts(_ base: ServerBase) -> ChannelsReloader.Parts {
        .init(
            current: current, directory: directory, titleKeys: titleKeys, library: library,
            changes: base.ground.changes)
    }

    /// The server of which features are made.
    ///
    /// - Parameters:
    ///   - base: what it stands on.
    ///   - access: who may do what.
    ///   - parts: its domains.
    ///   - delivery: sends media.
    ///   - reloader: reloads `channels.json`.
    ///   - ports: the ports of its listeners.
    func station(
        _ base: ServerBase, _ access: ServerAccess, _ parts: Parts, delivery: MediaDelivery,
        reloader: ChannelsReloader, ports: ListenerPorts
    ) -> Station {
        let configuration = base.configuration
        var station = Station(content: content(base), authority: access.authority, parts: parts)
        station.presets = { [current] in current.value.presets }
        station.ports = StationPorts(
            publishing: .init(
                rtsp: { ports[.rtsp] ?? configuration.rtsp.port }, rtmp: { ports[.rtmp] ?? ports[.wowza] },
                srt: { ports[.srt] }), http: { ports[.http] })
        station.threadPool = base.threads.reading
        let metrics = ServerMetrics(
            directory: directory, rtsp: rtsp, rtmp: rtmp, srt: srt, ingest: ingest, relays: relays,
            library: library, statistics: base.statistics)
        station.metrics = { await metrics.families }
        station.http = HTTPPolicy(
            crossOrigin: configuration.crossOrigin, strictTransport: configuration.strictTransport,
            statistics: base.statistics.http)
        station.mailer = base.ground.mail?.mailer(access.accounts)
        station.pictures = HTTPPictureFetcher()
        station.titleKeys = titleKeys
        station.mediaStore = configuration.mediaStore?.description
        station.reloader = reloader
        station.delivery = delivery
        station.relays = relays
        return station
    }

    private func content(_ base: ServerBase) -> ServerContent {
        ServerContent(
            directory: directory, catalogue: catalogue, library: library, titleSource: titles,
            pictures: pictures, clipThreadPool: base.threads.long,
            probes: [
                .mediaFolder(
                    base.configuration.mediaDirectory, sections: LibrarySection.allCases.map(\.rawValue)),
                .dataFolder(base.data.path),
            ],
            database: base.ground.database)
    }

    /// The services that requests in flight need, so that they stop after HTTP.
    func services(_ configuration: ServerConfiguration, _ ports: ListenerPorts) -> [any Service] {
        (mediaStore.map { [$0 as any Service] } ?? []) + [
            BackgroundService(service: library), slates,
            RTSPListeners(server: rtsp, configuration: configuration, ports: ports),
            RTMPListeners(server: rtmp, configuration: configuration),
        ] + srtServices(configuration)
    }

    private func srtServices(_ configuration: ServerConfiguration) -> [any Service] {
        guard let srt, let endpoint = configuration.srt else { return [relays] }
        return [SRTListeners(server: srt, endpoint: endpoint), relays]
    }

    /// The services that follow the media.
    func watchers(_ delivery: MediaDelivery) -> [any Service] {
        [
            IdleMemoryService(library: library, sharedSegments: delivery.sharedSegments),
            ArchiveService(writer: archive),
        ]
    }

    /// Ends pushes, pictures and recordings.
    func close() {
        directory.close()
        srtEngine.close()
        pictures.close()
        archive.close()
    }
}
