import APIContract
import Accounts
import Announcements
import Database
import Events
import HTTPEndpoints
import HTTPTypes
import JSONDocument
import WebAPI
import WebSite
import Webhooks

/// Notices on top of every page.
struct AnnouncementFeature: Feature {
    static let schemas = [AnnouncementSchema.schema]
    static let events = [EventKind(.announcement, [.announcementPublished]) { _, _, _ in .system }]

    private let announcements: Announcements
    private let api: AnnouncementEndpoints

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        let announcements = try await Announcements.open(
            ground.database, program: Product.version, wallClock: ground.wallClock)
        ground.stateCopies.add("announcements") { try await announcements.refresh() }
        parts.add(announcements)
        if let journal = parts[EventJournal.self] { note(announcements, in: journal) }
    }

    /// Notes each announcement in the journal, in the transaction that stores it.
    static func note(_ announcements: Announcements, in journal: EventJournal) {
        announcements.observe { announcement, db in
            try EventJournal.append(
                [
                    NewEvent(
                        .announcementPublished, EventSubject(.announcement, announcement.id.text), at: journal.now,
                        [("text", .string(announcement.text)), ("audience", .string(announcement.audience.rawValue))])
                ], db)
            db.afterCommit { journal.wake() }
        }
    }

    init?(_ station: Station) {
        guard let announcements = station.parts[Announcements.self] else { return nil }
        self.announcements = announcements
        api = AnnouncementEndpoints(announcements: announcements)
    }

    var endpoints: [Endpoint] { api.endpoints }

    var accountLinks: [AccountPageLink] { AnnouncementPages.links }

    func pages(_ frame: AccountPages) -> [Endpoint] {
        AnnouncementPages(pages: frame, announcements: announcements).endpoints
    }

    func prepare(_ page: inout GatewayRequestContext, _ fields: HTTPFields) async {
        page.notices += AnnouncementPages.notices(
            announcements.shown(toMember: page.principal.member != nil), dismissed: fields)
    }

    func export(of member: ExportedMember) async throws -> [ExportChapter] { try await api.export(of: member) }
}
