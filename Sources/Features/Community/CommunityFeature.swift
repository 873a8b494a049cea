import APIContract
import Accounts
import Community
import Database
import HTTPEndpoints
import MediaCore
import MediaAccess
import WebAPI
import ServerSettings
import ServiceLifecycle
import VideoClub
import WebSite
import Workflows

/// The members' community: videos of competitions, comments, profiles, reports.
struct CommunityFeature: Feature {
    static let schemas = [CommunitySchema.schema]

    private let community: Community
    private let api: CommunityEndpoints
    private let sent: MemberUploads
    private let station: Station

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        parts.add(
            try await Community.open(
                ground.database, program: Product.version,
                settings: CommunitySettings(ground.channelsFile.section(.community)), wallClock: ground.wallClock))
    }

    init?(_ station: Station) {
        guard let community = station.parts[Community.self] else { return nil }
        (self.community, self.station) = (community, station)
        let parts = station.parts
        let sent = MemberUploads(
            community, library: station.content.library, audiences: parts[TitleAudiences.self],
            presets: station.presets)
        self.sent = sent
        let viewing = VideoViewing(
            community, library: station.content.library, links: parts[MediaLinks.self], club: parts[VideoClub.self],
            accounts: station.authority.accounts)
        api = CommunityEndpoints(
            viewing: viewing, uploads: sent, library: station.content.library, publicAddress: station.publicAddress,
            mailer: station.mailer)
    }

    /// Finds videos and members, for the search of the site; `nil` for a server without a community.
    static func hits(
        _ station: Station
    ) -> (@Sendable (_ words: String, GatewayRequestContext, _ limit: Int) async throws -> SiteEndpoints.CommunityHits)?
    {
        guard let community = station.parts[Community.self] else { return nil }
        return { words, context, limit in
            let videos = try await community.videos(
                VideoQuery(matching: words, visible: context.visibleTitles), limit: limit)
            let members = try await community.findMembers(words, for: context.caller, limit: limit)
            return SiteEndpoints.CommunityHits(videos: videos.items, members: members.items)
        }
    }

    /// Finds competitions that are not over, for the home page; `nil` for a server without a community.
    static func competitions(
        _ station: Station
    ) -> (@Sendable (_ limit: Int) async throws -> ([Competition], WallClockTime))? {
        guard let community = station.parts[Community.self] else { return nil }
        return { limit in
            let now = community.now
            let found = try await community.competitions(CompetitionFilter(.endingAfter(now)), limit: limit)
            return (found.items, now)
        }
    }

    var endpoints: [Endpoint] { api.endpoints }

    var accountLinks: [AccountPageLink] { CommunityPages.links }

    func pages(_ frame: AccountPages) -> [Endpoint] {
        let (content, library) = (station.content, station.content.library)
        return CommunityPages(
            pages: frame, community: community, images: CompetitionImageUpload(library: library),
            maps: CompetitionMapUpload(library: library), library: library
        ).endpoints
            + PublishedVideoPages(
                pages: frame, content: content, community: community, uploads: sent,
                links: station.parts[MediaLinks.self], club: station.parts[VideoClub.self]
            ).endpoints
    }

    func services(on ground: Ground) -> [any Service] {
        guard let views = station.parts[VideoViewObserver.self] else { return [] }
        return [
            CommunityService(
                community: community, views: views, uploads: sent, changes: ground.changes, logger: ground.logger)
        ]
    }

    func export(of member: ExportedMember) async throws -> [ExportChapter] { try await api.export(of: member) }
    func uploads(of member: Caller) async throws -> [MemberUpload] { try await api.uploads(of: member) }
    func forget(_ user: UserID, _ db: any SQLConnection) throws { try community.forget(user, db) }

    func use(_ file: ChannelsFile, _ configuration: ServerConfiguration) {
        community.settings = CommunitySettings(file.section(.community))
    }

    /// The views that were counted last.
    func finish() async throws { try await station.parts[VideoViewObserver.self]?.flush() }
}
