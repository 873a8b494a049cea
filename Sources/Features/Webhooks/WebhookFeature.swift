import Accounts
import Database
import Events
import HTTPClients
import HTTPEndpoints
import LogMetadata
import Logging
import WebAPI
import ServiceLifecycle
import WebSite
import Webhooks

/// Addresses that are sent events.
struct WebhookFeature: Feature {
    static let schemas = [WebhookSchema.schema]

    private let webhooks: Webhooks
    private let api: WebhookEndpoints
    private let dispatcher: WebhookDispatcher?

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        let (webhooks, dispatcher) = try await WebhooksStart(
            database: ground.database, journal: try parts.require(EventJournal.self),
            kinds: try parts.require(EventKinds.self),
            accounts: try parts.require(Accounts.self), policy: AddressPolicy(ground.configuration),
            wallClock: ground.wallClock, logger: ground.logger
        ).open(key: ground.keys.key(.webhooks))
        parts.add(webhooks)
        parts.add(dispatcher)
    }

    init?(_ station: Station) {
        guard let webhooks = station.parts[Webhooks.self], let accounts = station.authority.accounts else { return nil }
        self.webhooks = webhooks
        dispatcher = station.parts[WebhookDispatcher.self]
        api = WebhookEndpoints(webhooks: webhooks, accounts: accounts)
    }

    var endpoints: [Endpoint] { api.endpoints }
    var accountLinks: [AccountPageLink] { WebhookPages.links }

    func pages(_ frame: AccountPages) -> [Endpoint] { WebhookPages(pages: frame, webhooks: webhooks).endpoints }

    func services(on ground: Ground) -> [any Service] {
        guard let dispatcher else { return [] }
        return [
            WebhookService(dispatcher: dispatcher, changes: ground.changes),
            SweepService(every: .seconds(3_600), while: ground.steadiness, webhooks.maintain) { error in
                ground.logger.warning(
                    "old webhook deliveries could not be deleted; will retry", metadata: [.error: "\(error)"])
            },
        ]
    }

    func metrics() async -> [MetricFamily] {
        guard let statistics = try? await webhooks.statistics() else { return [] }
        return WebhookMetrics(statistics: statistics).families
    }

    func export(of member: ExportedMember) async throws -> [ExportChapter] { try await api.export(of: member) }
    func forget(_ user: UserID, _ db: any SQLConnection) throws { try Webhooks.forget(user, db) }
    func endCredentials(of user: UserID, _ db: any SQLConnection) throws { try Webhooks.turnOff(of: user, db) }
    func finish() async throws { await dispatcher?.release() }
}
