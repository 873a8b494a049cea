import APIContract
import Accounts
import Catalogue
import Community
import Database
import Events
import Foundation
import HLSDelivery
import HTTPEndpoints
import Hummingbird
import HummingbirdCore
import LibAV
import LibraryCore
import LibraryStorage
import LiveChannels
package import Logging
import LogMetadata
import Mail
import MediaAccess
import MediaCore
import MediaStorage
import NIOCore
import NIOPosix
import Notifications
import OperatorAPI
import RTSPServer
import ServiceLifecycle
import SupportInbox
import TransportSecurity
import UnixSignals
import VODLibrary
import VideoClub
import Webhooks

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
    /// - Throws: ``SettingError``, `JSONFileError`, `TLSIdentityError`
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
    /// - Throws: ``ServerStartError`` and errors of the server's parts.
    package func run() async throws {
        let openFileLimit = OpenFileLimit.raise()
        // A file size limit must fail one write, which the recording's state reports, and must not end the server.
        signal(SIGXFSZ, SIG_IGN)
        // A closed terminal must end neither the server nor a write to its pipe.
        signal(SIGHUP, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        if ScryptParameters.ofThisBuild != .standard {
            logger.notice(
                "a debug build is slow and hashes passwords with less work; serve others with a release build")
        }
        let missing = LibAVRuntime.missingConfinement
        if !missing.isEmpty {
            logger.warning(
                "worker processes are not fully confined: the kernel lacks protections",
                metadata: [.missing: "\(missing.joined(separator: "; "))"])
        }
        for (channel, path) in serveSummary.missingSlates {
            logger.warning(
                "slate file missing or unreadable", metadata: [.channelName: "\(channel)", .file: "\(path)"])
        }
        configuration.createDefaultMediaDirectory()
        let data = try DataDirectory(path: configuration.dataDirectory)
        let steadiness = ClockWatchService.steadiness(data, logger: logger)
        let token = try makeOperatorToken(data)
        // Playlists, parts and segments are made and sent on the event loops; all other work may wait for them.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
        let statistics = ServerStatistics()
        let database = try await DatabaseStart(
            configuration.database ?? .sqlite(path: data.path(of: DataDirectory.catalogueName)),
            statistics: statistics.database, logger: logger
        ).open()
        let changes = DatabaseChanges(database)
        let catalogue = try await Catalogue.open(database, program: Product.version)
        let stateCopies = StateCopies()
        let journal = try await EventJournal.open(
            database, program: Product.version, copies: stateCopies, logger: logger)
        let threads = ServerThreadPools(coreCount: System.coreCount, hasMediaStore: configuration.mediaStore != nil)
        let opened = try await AccountsStart(
            database: database, dataDirectory: data.path, threads: threads.hashing
        ).open(accountsSettings)
        let (accounts, links) = (opened.accounts, opened.links)
        try await requireAdministrator(accounts)
        accounts.audiences = channelsFile.audiences
        let (webhooks, dispatcher) = try await WebhooksStart(
            database: database, journal: journal, accounts: accounts, policy: addressPolicy, logger: logger
        ).open(key: opened.webhookKey)
        let identities = IdentityService(
            channelsFile.providers, key: opened.providerKey, hasAddress: configuration.publicAddress != nil,
            group: group, logger: logger)
        let audiences = TitleAudiences(database, accounts: accounts)
        try await audiences.refresh()
        let club = try await VideoClub.open(
            database, program: Product.version, settings: channelsFile.club, steadiness: steadiness)
        stateCopies.add("audiences") { try await audiences.refresh() }
        stateCopies.add("entitlements") { try await club.refresh() }
        let mail = try MailService(configuration, credential: mailCredential, group: group, logger: logger)
        let forward = mail?.forwarder()
        let inbox = try await SupportInbox.open(database, program: Product.version, forward: forward)
        let community = try await Community.open(
            database, program: Product.version, settings: channelsFile.community)
        let told = try await NotificationsStart(
            database: database, accounts: accounts, key: opened.notificationKey,
            publicAddress: configuration.publicAddress, sendsMail: mail != nil, policy: addressPolicy, logger: logger
        ).open()
        let notifications = told.notifications
        community.observeDeeds { [notifications] deed, time, db in try notifications.note(deed, at: time, db) }
        inbox.observeMessages { [notifications] message, db in
            try notifications.note(supportMessage: message.id, at: message.sentAt, db)
        }
        AccountEnding(accounts: accounts, community: community, notifications: notifications).register()
        let mediaTokens: MediaTokens? =
            if let tokens = configuration.mediaTokens {
                try await MediaTokensStart(configuration: tokens, logger: logger).open()
            } else { nil }
        let hook = configuration.authorizationHook.map { AuthorizationHookStart.open($0, logger: logger) }
        let authority = RequestAuthority(
            token: token, accounts: accounts, proxies: configuration.proxies,
            publicAddress: configuration.publicAddress, logger: logger)
        let crowd = EventCrowd(journal: journal, authority: authority)
        let titleKeys = try TitleKeys(
            directory: data.path(of: "keys"), encryptsByDefault: channelsFile.encryptsTitles, logger: logger)
        let mediaStore = try await MediaStoreStart(
            configuration: configuration, database: database, threads: threads.storing, logger: logger
        ).open(dataDirectory: data.path, recordingsDirectory: data.path(of: "recordings"))
        let library = try makeLibrary(data, catalogue, threads, titleKeys, stored: mediaStore?.files)
        let store = try FileChannelStateStore(directory: data.path(of: "channels"), logger: logger)
        let slates = LibrarySlates(library: library)
        let observer = ChannelEvents.observer(journal)
        let archive = try ArchiveWriter(
            directory: data.path(of: "archive"), recordingsDirectory: data.path(of: "recordings"),
            observer: observer, logger: logger)
        let directory = LiveChannelDirectory(
            configurations: channelsFile.channels, store: store,
            transcoders: LiveWorkerTranscoders(
                group: group,
                launcher: LiveWorkerProcessLauncher(executable: Self.workerExecutable, threadPool: threads.starting),
                logger: logger),
            slates: slates,
            archive: archive, observer: observer, logger: logger)
        let ports = makePorts()
        let titles = LibraryTitleSource(
            catalogue: catalogue, library: library,
            extras: LibraryTitleExtras(keys: titleKeys, threadPool: threads.opening, logger: logger))
        let copies = OfflineCopies(
            club: club, key: opened.copyKey,
            source: LibraryCopySource(titles: titles, planning: threads.opening, reading: threads.reading))
        let rtsp = RTSPServer(
            configuration: RTSPServerConfiguration(
                host: configuration.rtsp.host, port: configuration.rtsp.port,
                secure: configuration.rtsps.map { .init(host: $0.host, port: $0.port) },
                udpPortRange: configuration.udpPorts),
            channels: directory, titles: titles, identity: identity, threadPool: threads.reading,
            eventLoopGroup: group,
            admission: AccountsRTSPAdmission(
                accounts: accounts, links: links, tokens: mediaTokens, hook: hook, club: club),
            logger: logger)
        let current = CurrentChannelsFile(channelsFile)
        let reloader = ChannelsReloader(
            configuration: configuration,
            parts: .init(
                current: current, directory: directory, titleKeys: titleKeys, library: library, accounts: accounts,
                club: club, community: community,
                providers: identities.directory, changes: changes),
            text: channelsText, logger: logger)
        let content = ServerContent(
            directory: directory, catalogue: catalogue, library: library, rtsp: rtsp, titleSource: titles,
            clipThreadPool: threads.long,
            probes: [
                .mediaFolder(configuration.mediaDirectory, sections: LibrarySection.allCases.map(\.rawValue)),
                .dataFolder(data.path),
            ],
            database: database, accounts: accounts, club: club, statistics: statistics)
        let views = VideoViewObserver(community: community, authority: authority)
        let delivery = MediaDelivery(
            channels: directory, titles: titles,
            threadPool: threads.reading, muxingThreadPool: threads.muxing,
            transportStreamMuxer: LibAVTransportStreams(),
            viewing: AccountsViewing(
                accounts: accounts, links: links, club: club, tokens: mediaTokens, hook: hook, authority: authority),
            playback: views, crossOrigin: configuration.mediaCrossOrigin, statistics: statistics.delivery)
        let http = HTTPListeners(
            configuration: configuration, delivery: delivery,
            endpoints: GatewayEndpoints(
                content: content, presets: current.value.presets,
                authority: authority, mailer: mail?.mailer(accounts), providers: identities.directory,
                titleKeys: titleKeys,
                reloader: reloader, mediaStore: configuration.mediaStore?.description, threadPool: threads.reading,
                links: links, audiences: audiences, delivery: delivery,
                idempotencyKeys: opened.idempotencyKeys, crossOrigin: configuration.crossOrigin,
                events: journal, crowd: crowd, webhooks: webhooks, club: club, copies: copies, inbox: inbox,
                community: community, notifications: notifications, pushKey: told.push?.publicKey,
                payments: try configuration.paymentSecretFile.map { try PaymentsStart(file: $0).open() },
                statistics: statistics.http, strictTransport: configuration.strictTransport,
                pictures: HTTPPictureFetcher(),
                rtspPort: { [configuration] in ports[.rtsp] ?? configuration.rtsp.port }
            ).table,
            rtsp: rtsp, identity: webIdentity, ports: ports, group: group,
            connections: HTTPConnectionRegistry(
                limits: HTTPConnectionPlaces.Limits(openFileLimit: openFileLimit), logger: logger),
            budget: RequestBudget(),
            isOperator: { [authority] fields, peer in await authority.isOperator(fields, from: peer) }, logger: logger)
        // Services stop in reverse order: HTTP first, so that requests in flight find everything else still running.
        var services = ServiceGroupConfiguration(
            services: [
                DatabaseWatchService(changes: changes),
                ClockWatchService(steadiness: steadiness, data: data, threadPool: threads.long),
                mediaStore.map { $0 as any Service },
                mail.map { BackgroundService(service: $0) }, identities,
                BackgroundService(service: library), slates,
                RTSPListeners(server: rtsp, configuration: configuration, ports: ports),
            ].compactMap(\.self) + http.services + [
                IdleMemoryService(library: library, sharedSegments: delivery.sharedSegments),
                ArchiveService(writer: archive),
                AccountsService(
                    accounts: accounts, links: links, idempotencyKeys: opened.idempotencyKeys,
                    configuration: configuration, ports: ports, steadiness: steadiness, logger: logger),
                StateCopyService(copies: stateCopies, changes: changes, logger: logger),
                VideoClubService(club: club, logger: logger),
                CommunityService(
                    community: community, views: views,
                    uploads: MemberUploads(community, library: library, audiences: audiences) {
                        current.value.presets
                    }, changes: changes, logger: logger),
                NotificationService(
                    notifications: notifications, journal: journal, club: club,
                    mails: mail?.notificationMails(notifications, accounts), push: told.push?.dispatcher,
                    changes: changes, steadiness: steadiness,
                    channelTitle: { directory.channel(named: $0)?.configuration.title }, logger: logger),
                OfflineCopyService(copies: copies, logger: logger),
                EventService(
                    journal: journal, crowd: crowd, library: library, accounts: accounts, changes: changes,
                    steadiness: steadiness, logger: logger),
                WebhookService(
                    webhooks: webhooks, dispatcher: dispatcher, changes: changes, steadiness: steadiness, logger: logger
                ),
                ReloadService(reloader: reloader, logger: logger),
                ShutdownDeadline(eventLoop: group.any(), logger: logger),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        services.maximumGracefulShutdownDuration = ShutdownDeadline.graceful
        do {
            try await ServiceGroup(configuration: services).run()
        } catch is CancellationError {
            // Services that did not stop within the graceful time were cancelled.
        }
        directory.close()
        archive.close()
        // The ends of pushes and recordings.
        await journal.flush()
        do {
            try await views.flush()
        } catch {
            logger.warning("views of videos not written", metadata: [.error: "\(error)"])
        }
        await dispatcher.release()
        store.flush()
        await threads.shutDown()
        await database.close()
        logger.info("server stopped")
        withExtendedLifetime(data) {}
    }

    // MARK: Parts

    private var accountsSettings: AccountsSettings {
        var settings = channelsFile.accounts
        settings.use(configuration)
        return settings
    }

    /// The addresses that the server connects to for others.
    private var addressPolicy: AddressPolicy {
        configuration.allowsPrivateImports ? .anyAddress : .publicAddressesOnly
    }

    private func makeOperatorToken(_ data: DataDirectory) throws -> OperatorToken {
        let (token, isNew) = try OperatorToken.load(orMakeIn: data.path)
        if isNew {
            logger.notice(
                "operator token created; requests that change something need it",
                metadata: [.file: "\(data.path(of: OperatorToken.fileName))"])
        }
        return token
    }

    /// The running program, even if its file has been replaced.
    private static let workerExecutable = "/proc/self/exe"

    private func makeLibrary(
        _ data: DataDirectory, _ catalogue: Catalogue, _ threads: ServerThreadPools, _ keys: TitleKeys,
        stored: StoredFiles?
    ) throws -> VODLibrary {
        var library = VODLibraryConfiguration(
            mediaDirectory: configuration.mediaDirectory, dataDirectory: data.path,
            recordingsDirectory: data.path(of: "recordings"), workerExecutable: Self.workerExecutable,
            maximumConcurrentJobCount: configuration.jobs,
            ladder: LadderPolicy(channelsFile))
        library.hasChoice = { keys.hasChoice(ofTitle: $0) }
        return try VODLibrary(
            configuration: library, catalogue: catalogue,
            fetcher: HTTPMediaFetcher(hosts: CheckedHosts(policy: addressPolicy)),
            threads: threads.libraryThreads, files: LibraryFiles(stored: stored), scanClock: BeatClock(),
            logger: logger)
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
