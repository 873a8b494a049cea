import APIContract
import Accounts
import Community
import Database
import HTTPEndpoints
import Messaging
import ServiceLifecycle
import WebAPI
import Workflows

/// Contacts of members, and their conversations.
struct MessagingFeature: Feature {
    static let schemas = [MessagingSchema.schema]

    private let messaging: Messaging
    private let community: Community
    private let station: Station

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        parts.add(
            try await Messaging.open(
                ground.database, program: Product.version, wallClock: ground.wallClock,
                uptime: ground.equipment.uptime))
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

    func services(on ground: Ground) -> [any Service] {
        [MessagingService(messaging: messaging, changes: ground.changes, logger: ground.logger)]
    }

    func export(of member: ExportedMember) async throws -> [ExportChapter] {
        try await MessagingExport.chapters(of: member, from: messaging)
    }

    func forget(_ user: UserID, _ db: any SQLConnection) throws { try messaging.forget(user, db) }
}
