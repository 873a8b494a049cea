import Accounts
import Catalogue
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LiveChannels
import MediaCore
import SiteTexts
import Workflows

/// The search in everything that the site has: channels, titles, tracks, members' videos and members, a few of each.
struct SearchPage: Sendable {
    let content: any ContentSource
    let videoClub: VideoClubPage
    /// Finds videos and members; `nil` for a server without a community.
    let community: (@Sendable (String, GatewayRequestContext, Int) async throws -> SiteEndpoints.CommunityHits)?

    private static let path = "/buscar"
    /// Number of hits of each kind; the list of the kind has all.
    private static let groupSize = 6

    var endpoint: Endpoint {
        Endpoint(.get, Self.path, .filters(reason: "what the visitor may not read is left out")) { request, context in
            try await answer(request, SitePage(.search, request, context), context)
        }
    }

    private func answer(
        _ request: Request, _ page: SitePage, _ context: GatewayRequestContext
    ) async throws -> Response {
        let wanted = try PageRequest(request)
        guard let words = wanted.query else { return try page.response(["query": ""]) }
        let encoded = SitePage.queryComponent(words)
        let titles = try await videoClub.found(words, page, context, limit: Self.groupSize)
        let tracks = try await content.tracks(
            RecordQuery(matching: words, order: .title, visible: context.visibleTracks), after: nil,
            limit: Self.groupSize
        ).items.filter { $0.state == .ready }
        let channels = context.watchable(content.channels()).filter { matches($0, words) }.prefix(Self.groupSize)
        let hits = try await community?(words, context, Self.groupSize)
        let (videos, members) = (hits?.videos ?? [], hits?.members ?? [])
        let groups: [[String: Any]?] = [
            group(page.text.channels, channels.map { hit($0, page) }, all: nil, page),
            group(page.text.videoClub, titles.map(hit), all: "/videoclub?q=\(encoded)", page),
            group(page.text.radio, tracks.map { hit($0, page) }, all: "/radio?q=\(encoded)", page, isSquare: true),
            group(page.text.videos, videos.map(hit), all: "\(VideoPath.list)?q=\(encoded)", page),
            group(
                page.text.people, members.map { hit($0, context) }, all: "\(VideoPath.memberSearch)?q=\(encoded)",
                page, isSquare: true),
        ]
        let found = groups.compactMap(\.self)
        return try page.response([
            "query": SitePage.displayed(words), "groups": found, "community": "\(VideoPath.search)?q=\(encoded)",
            "nothingFound": found.isEmpty,
        ])
    }

    private func group(
        _ name: String, _ items: [[String: Any]], all: String?, _ page: SitePage, isSquare: Bool = false
    ) -> [String: Any]? {
        guard !items.isEmpty else { return nil }
        var values: [String: Any] = ["name": name, "items": items]
        if isSquare { values["square"] = true }
        if let all, items.count == Self.groupSize { values["all"] = ["path": all, "name": page.text.seeAll] }
        return values
    }

    /// Whether each of the words begins one of a channel's title or name.
    private func matches(_ channel: ChannelStatus, _ words: String) -> Bool {
        let known = "\(channel.title) \(channel.name)".lowercased().split { !$0.isLetter && !$0.isNumber }
        return words.lowercased().split { !$0.isLetter && !$0.isNumber }.allSatisfy { word in
            known.contains { $0.hasPrefix(word) }
        }
    }

    private func hit(_ channel: ChannelStatus, _ page: SitePage) -> [String: Any] {
        var values = SitePage.placeholder(channel.title)
        values["name"] = SitePage.displayed(channel.title)
        values["path"] = ResourcePaths.page(ofChannel: channel.name)
        values["detail"] = channel.state == .live ? page.text.stateLive : page.text.stateIdle
        return values
    }

    private func hit(_ video: Video) -> [String: Any] {
        var values = SitePage.placeholder(video.name)
        values["name"] = SitePage.displayed(video.name)
        values["path"] = VideoPath.video(video.id)
        values["detail"] = SitePage.displayed(video.ownerName ?? "")
        return values
    }

    private func hit(_ member: ListedMember, _ context: GatewayRequestContext) -> [String: Any] {
        var values = SitePage.placeholder(member.username)
        values["name"] = SitePage.displayed(member.username)
        values["path"] = VideoPath.member(member.username)
        values["detail"] = ""
        // Photos are for members.
        if context.principal.member != nil {
            values["picture"] = ResourcePaths.photo(ofMember: member.username, member.photo)
        }
        return values
    }

    private func hit(_ title: [String: Any]) -> [String: Any] {
        var values: [String: Any] = ["name": title["title"] ?? "", "detail": title["short"] ?? title["duration"] ?? ""]
        values["path"] = ResourcePaths.page(ofTitle: title["id"] as? String ?? "")
        values["picture"] = title["poster"]
        values["letter"] = title["letter"]
        values["hue"] = title["hue"]
        return values
    }

    private func hit(_ track: AudioTrackRecord, _ page: SitePage) -> [String: Any] {
        let shown = page.track(track)
        var values: [String: Any] = ["name": shown["title"] ?? "", "detail": shown["artist"] ?? ""]
        values["path"] = CollectionPath.track(track.id)
        values["picture"] = shown["cover"]
        values["letter"] = shown["letter"]
        values["hue"] = shown["hue"]
        return values
    }
}
