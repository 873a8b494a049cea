import Accounts
import Community
import Database
import Events
import Forum
import HTTPClients
import HTTPEndpoints
import HTTPTypes
import LiveChannels
import Notifications
import WebAPI
import ServerSettings
import ServiceLifecycle
import VideoClub
import WebSite
import Webhooks
import Workflows

/// Members' notifications, on the site, by mail, by push message and by webhook.
struct NotificationFeature: Feature {
    static let schemas = [NotificationSchema.schema]
    static let events = [
        EventKind(.member, [.notificationCreated]) { name, listener, _ in
            listener.member.flatMap { $0.id.text == name ? .account($0.id) : nil }
        }
    ]

    private let notifications: Notifications
    private let api: NotificationEndpoints
    private let pushKey: String?
    private let station: Station

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        let opened = try await NotificationsStart(
            database: ground.database, accounts: try parts.require(Accounts.self),
            key: ground.keys.key(.notifications), publicAddress: ground.configuration.publicAddress,
            sendsMail: ground.mail != nil, policy: AddressPolicy(ground.configuration),
            wallClock: ground.wallClock, logger: ground.logger
        ).open()
        let notifications = opened.notifications
        parts.add(notifications)
        if let push = opened.push {
            parts.add(push.dispatcher)
            parts.add(PushKeyText(text: push.publicKey))
        }
        parts[Community.self]?.observeDeeds { deed, time, db in try notifications.note(deed, at: time, db) }
        parts[Forum.self]?.observe { deed, time, db in try notifications.note(deed, at: time, db) }
    }

    init?(_ station: Station) {
        guard let notifications = station.parts[Notifications.self] else { return nil }
        (self.notifications, self.station) = (notifications, station)
        pushKey = station.parts[PushKeyText.self]?.text
        api = NotificationEndpoints(notifications: notifications, authority: station.authority, pushKey: pushKey)
    }

    var endpoints: [Endpoint] { api.endpoints }
    var accountLinks: [AccountPageLink] { NotificationPages.links }

    func pages(_ frame: AccountPages) -> [Endpoint] {
        NotificationPages(pages: frame, notifications: notifications, pushKey: pushKey).endpoints
    }

    /// The number beside the bell.
    func prepare(_ page: inout GatewayRequestContext, _ fields: HTTPFields) async {
        guard page.identity.session != nil, let member = page.principal.member else { return }
        page.unreadCount = try? await notifications.unreadCount(of: member.id)
    }

    func services(on ground: Ground) -> [any Service] {
        let parts = station.parts
        guard let journal = parts[EventJournal.self], let club = parts[VideoClub.self] else { return [] }
        let mails = station.authority.accounts.flatMap { ground.mail?.notificationMails(notifications, $0) }
        return [
            NotificationService(
                notifications: notifications, journal: journal,
                triggers: NotificationTriggers(
                    notifications, journal: journal, club: club, liveType: .channelUp,
                    channelTitle: { [content = station.content] in content.channel(named: $0)?.title }),
                mails: mails,
                push: parts[PushDispatcher.self], changes: ground.changes, steadiness: ground.steadiness,
                logger: ground.logger)
        ]
    }

    func export(of member: ExportedMember) async throws -> [ExportChapter] { try await api.export(of: member) }
    func forget(_ user: UserID, _ db: any SQLConnection) throws { try notifications.forget(user, db) }

    func endCredentials(of user: UserID, _ db: any SQLConnection) throws {
        try Notifications.unsubscribeAll(of: user, db)
    }
}
