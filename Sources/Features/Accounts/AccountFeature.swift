import APIContract
import Accounts
import Database
import Events
import HTTPEndpoints
import Idempotency
import IdentityProviders
import WebAPI
import ServerSettings
import ServiceLifecycle
import WebSite
import Webhooks

/// Accounts, with what protects requests from being carried out twice.
struct AccountFeature: Feature {
    static let schemas = [AccountsSchema.schema, IdempotencySchema.schema]
    static let events = [EventKind(.account, EventType.ofAccounts) { _, _, _ in .accounts }]

    private let accounts: Accounts
    private let api: AccountsEndpoints
    private let station: Station

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        let accounts = try await Accounts.open(
            ground.database, program: Product.version, hasher: ground.equipment.hasher,
            settings: settings(ground.channelsFile, ground.configuration), sealingKey: ground.keys.key(.accounts),
            wallClock: ground.wallClock, uptime: ground.equipment.uptime)
        accounts.audiences = ground.channelsFile.audiences
        parts.add(accounts)
        parts.add(
            try await IdempotencyKeys.open(
                ground.database, program: Product.version, key: ground.keys.key(.idempotency),
                wallClock: ground.wallClock))
        parts.add(
            IdentityService(
                ground.channelsFile.providers, key: ground.keys.key(.providers),
                hasAddress: ground.configuration.publicAddress != nil, group: ground.equipment.group,
                logger: ground.logger))
    }

    init?(_ station: Station) {
        guard let accounts = station.authority.accounts else { return nil }
        (self.accounts, self.station) = (accounts, station)
        api = AccountsEndpoints(
            accounts: accounts, publicAddress: station.publicAddress, mailer: station.mailer, photos: station.photos,
            providers: station.parts[IdentityService.self]?.directory)
    }

    private static func settings(_ file: ChannelsFile, _ configuration: ServerConfiguration) -> AccountsSettings {
        var settings = file.accounts
        settings.use(configuration)
        return settings
    }

    var endpoints: [Endpoint] { api.endpoints }

    func pages(_ frame: AccountPages) -> [Endpoint] { frame.endpoints }

    func services(on ground: Ground) -> [any Service] {
        [
            AccountsService(
                accounts: accounts, idempotencyKeys: station.parts[IdempotencyKeys.self],
                configuration: ground.configuration, httpPort: station.ports.http, steadiness: ground.steadiness,
                logger: ground.logger)
        ]
    }

    func metrics() async -> [MetricFamily] {
        AccountMetrics(statistics: accounts.logIns, sessionCount: try? await accounts.sessionCount()).families
    }

    func export(of member: ExportedMember) async throws -> [ExportChapter] { try await api.export(of: member) }

    func use(_ file: ChannelsFile, _ configuration: ServerConfiguration) {
        accounts.settings = Self.settings(file, configuration)
        accounts.audiences = file.audiences
        station.parts[IdentityService.self]?.directory.use(file.providers)
    }
}
