import APIContract
import Accounts
import Community
import Database
import HTTPEndpoints
import MediaCore
import Messaging
import Notifications
import ServiceLifecycle
import WebAPI
import WebSite
import Workflows

/// Contacts of members, and their conversations.
struct MessagingFeature: Feature {
    static let schemas = [MessagingSchema.schema]

    private let messaging: Messaging
    private let community: Community
    private let station: Station

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        let messaging = try await Messaging.open(
            ground.database, program: Product.version, wallClock: ground.wallClock, uptime: ground.equipment.uptime)
        if let notifications = parts[Notifications.self] {
            messaging.observeDeeds { deed, time, db in try note(deed, notifications, at: time, db) }
        }
        parts.add(messaging)
    }

    private static func note(
        _ deed: MessagingDeed, _ notifications: Notifications, at time: WallClockTime, _ db: any SQLConnection
    ) throws {
        switch deed {
        case .invited(let invitation, let receiver, let sender):
            try notifications.note(contact: .invited, invitation, by: sender, to: receiver, at: time, db)
        case .connected(let invitation, let first, let second):
            for (actor, receiver) in [(first, second), (second, first)] {
                try notifications.note(contact: .added, invitation, by: actor, to: receiver, at: time, db)
            }
        case .refused(let invitation, let sender, let receiver):
            try notifications.note(contact: .refused, invitation, by: receiver, to: sender, at: time, db)
        }
    }

    init?(_ station: Station) {
        guard let messaging = station.parts[Messaging.self], let community = station.parts[Community.self] else {
            return nil
        }
        (self.messaging, self.community, self.station) = (messaging, community, station)
    }

    var endpoints: [Endpoint] {
        ContactEndpoints(messaging: messaging, community: community).endpoints
            + ConversationEndpoints(messaging: messaging, authority: station.authority).endpoints
    }

    var accountLinks: [AccountPageLink] { MessagingPages.links }

    func pages(_ frame: AccountPages) -> [Endpoint] {
        MessagingPages(
            pages: frame, messaging: messaging, community: community,
            notifications: station.parts[Notifications.self]
        ).endpoints
    }

    func services(on ground: Ground) -> [any Service] {
        [MessagingService(messaging: messaging, changes: ground.changes, logger: ground.logger)]
    }

    func export(of member: ExportedMember) async throws -> [ExportChapter] {
        try await MessagingExport.chapters(of: member, from: messaging)
    }

    func forget(_ user: UserID, _ db: any SQLConnection) throws { try messaging.forget(user, db) }
}
