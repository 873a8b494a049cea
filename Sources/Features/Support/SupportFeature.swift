import APIContract
import Accounts
import Database
import HTTPEndpoints
import Notifications
import WebAPI
import SupportInbox
import WebSite

/// Messages of people who need help.
struct SupportFeature: Feature {
    static let schemas = [SupportSchema.schema]

    private let inbox: SupportInbox

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        let inbox = try await SupportInbox.open(
            ground.database, program: Product.version, wallClock: ground.wallClock,
            forward: ground.mail?.forwarder())
        if let notifications = parts[Notifications.self] {
            inbox.observeMessages { message, db in
                try notifications.note(supportMessage: message.id, at: message.sentAt, db)
            }
        }
        parts.add(inbox)
    }

    init?(_ station: Station) {
        guard let inbox = station.parts[SupportInbox.self] else { return nil }
        self.inbox = inbox
    }

    var endpoints: [Endpoint] { SupportEndpoints(inbox: inbox).endpoints }
    var accountLinks: [AccountPageLink] { SupportPages.links }

    func pages(_ frame: AccountPages) -> [Endpoint] { SupportPages(pages: frame, inbox: inbox).endpoints }
    func forget(_ user: UserID, _ db: any SQLConnection) throws { try SupportInbox.forget(user, db) }
}
