import Accounts
import Database
import Features
import Logging
import Mail
import MediaCore
import NIOCore
import NIOPosix
import ServerSettings
import ServiceLifecycle

/// The base of a server: its data folder, its threads, its database, and its mail.
struct ServerBase: Sendable {
    let data: DataDirectory
    /// Playlists, parts and segments are made and sent on the event loops; all other work may wait for them.
    let group: MultiThreadedEventLoopGroup
    let threads: ServerThreadPools
    let statistics: ServerStatistics
    let ground: Ground

    var configuration: ServerConfiguration { ground.configuration }
    var channelsFile: ChannelsFile { ground.channelsFile }
    var logger: Logger { ground.logger }

    /// - Parameters:
    ///   - configuration: the settings of the server.
    ///   - channelsFile: the file that it is started with.
    ///   - mailCredential: the username and the password at the mail server.
    ///   - logger: receives what happens.
    /// - Throws: `ServerStartError`, `SQLError`, `SMTPError`
    static func open(
        _ configuration: ServerConfiguration, _ channelsFile: ChannelsFile, _ mailCredential: SMTPCredential?,
        _ logger: Logger
    ) async throws -> ServerBase {
        let data = try DataDirectory(path: configuration.dataDirectory)
        let steadiness = ClockWatchService.steadiness(data, logger: logger)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
        let statistics = ServerStatistics()
        let database = try await DatabaseStart(
            configuration.database ?? .sqlite(path: data.path(of: DataDirectory.catalogueName)),
            statistics: statistics.database, logger: logger
        ).open()
        let threads = ServerThreadPools(coreCount: System.coreCount, hasMediaStore: configuration.mediaStore != nil)
        let mail = try MailService(configuration, credential: mailCredential, group: group, logger: logger)
        let ground = Ground(
            configuration: configuration, channelsFile: channelsFile, database: database,
            changes: DatabaseChanges(database), keys: try ServerKeys(directory: data.path), mail: mail,
            equipment: .init(
                group: group, hasher: PasswordHasher(threads: threads.hashing), steadiness: steadiness),
            logger: logger)
        return ServerBase(data: data, group: group, threads: threads, statistics: statistics, ground: ground)
    }

    var services: [any Service] {
        [
            DatabaseWatchService(changes: ground.changes),
            ClockWatchService(steadiness: ground.steadiness, data: data, threadPool: threads.long),
        ] + (ground.mail.map { [BackgroundService(service: $0)] } ?? [])
    }

    /// The last call.
    func close() async {
        await threads.shutDown()
        await ground.database.close()
        withExtendedLifetime(data) {}
    }
}
