import APIContract
import Accounts
import Community
import Database
import Events
import Forum
import HTTPEndpoints
import JSONDocument
import LogMetadata
import Logging
import MediaCore
import ServiceLifecycle
import WebAPI
import WebSite
import Webhooks
import Workflows

/// The members' forum: topics in categories and about channels and titles.
struct ForumFeature: Feature {
    static let schemas = [ForumSchema.schema]
    /// An event names a topic by its ID and tells nothing of it: who asks for the topic is told what they may read.
    static let events = [
        EventKind(.topic, [.topicBegun, .topicCommented, .topicChanged]) { _, _, _ in .site }
    ]

    private let forum: Forum
    private let api: ForumEndpoints
    private let viewing: TopicViewing

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        let community = try parts.require(Community.self)
        let forum = try await Forum.open(
            ground.database, community: community, program: Product.version, wallClock: ground.wallClock)
        community.add(forum.reportableItems, as: .topicComment)
        parts.add(forum)
        if let journal = parts[EventJournal.self] { note(forum, in: journal) }
    }

    /// Notes what happens in the journal, in the transaction that stores it.
    private static func note(_ forum: Forum, in journal: EventJournal) {
        forum.observe { deed, time, db in
            let event: NewEvent
            switch deed {
            case .began(let topic, _, _): event = NewEvent(.topicBegun, EventSubject(.topic, topic.text), at: time)
            case .commented(let comment, let topic, _, _):
                event = NewEvent(
                    .topicCommented, EventSubject(.topic, topic.text), at: time, [("comment", .string(comment.text))])
            case .changed(let topic), .removed(let topic):
                event = NewEvent(.topicChanged, EventSubject(.topic, topic.text), at: time)
            }
            try EventJournal.append([event], db)
            db.afterCommit { journal.wake() }
        }
    }

    init?(_ station: Station) {
        guard let forum = station.parts[Forum.self], let community = station.parts[Community.self] else { return nil }
        self.forum = forum
        viewing = TopicViewing(forum, community: community, content: station.content)
        api = ForumEndpoints(viewing: viewing)
    }

    var endpoints: [Endpoint] { api.endpoints }

    var accountLinks: [AccountPageLink] { ForumPages.links }

    func pages(_ frame: AccountPages) -> [Endpoint] { ForumPages(pages: frame, viewing: viewing).endpoints }

    func services(on ground: Ground) -> [any Service] { [ForumService(forum: forum, logger: ground.logger)] }

    func export(of member: ExportedMember) async throws -> [ExportChapter] { try await api.export(of: member) }
    func forget(_ user: UserID, _ db: any SQLConnection) throws { try forum.forget(user, db) }
}
