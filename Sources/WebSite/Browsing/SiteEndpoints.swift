import Accounts
import Catalogue
import HLSDelivery
package import Community
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LiveChannels
package import MediaCore
import NIOCore
package import PlaybackPositions
import SiteTexts
package import VideoClub
package import Workflows

/// The endpoints of the built-in site, which is rendered on the server with one style sheet and one script.
package struct SiteEndpoints: Sendable {
    let content: any ContentSource
    /// The port of the RTSP listener, for the commands on the about page.
    let rtspPort: @Sendable () -> Int
    private let videoClub: VideoClubPage
    private let titlePage: TitlePage
    private let editsChannels: Bool
    private let finders: Finders
    private let face: @Sendable () -> StationFace

    /// Finds the place up to which a member has watched a title; `nil` for a stranger, and at the beginning.
    package typealias Position = @Sendable (GatewayRequestContext, _ title: String) async throws -> PlaybackPosition?

    /// The ways to what other domains have for the pages; `nil` for a domain that the server does not have.
    package struct Finders: Sendable {
        /// Finds up to a number of items that a member can go on watching, the last watched first.
        package var continued: (@Sendable (GatewayRequestContext, _ limit: Int) async throws -> [PositionedItem])?
        package var position: Position?
        /// The shares of titles that a member has watched, by their IDs; empty for a stranger.
        package var watched: (@Sendable (GatewayRequestContext) async throws -> [String: Double])?
        /// Finds videos and members of the community that have some words, up to a number of each.
        package var community:
            (@Sendable (_ words: String, GatewayRequestContext, _ limit: Int) async throws -> CommunityHits)?
        /// Finds up to a number of competitions that are not over, the next first, and tells the time.
        package var competitions: (@Sendable (_ limit: Int) async throws -> ([Competition], WallClockTime))?

        package init() {}
    }

    /// The videos and members that a search has found in the community.
    package struct CommunityHits: Sendable {
        package var videos: [Video]
        package var members: [ListedMember]

        package init(videos: [Video], members: [ListedMember]) { (self.videos, self.members) = (videos, members) }
    }

    /// - Parameters:
    ///   - content: the library and the channels that are shown.
    ///   - club: what is rented; `nil` for a server without a video club.
    ///   - editsChannels: whether there is a form for what people read about channels.
    ///   - finders: find what other domains have for these pages.
    ///   - face: the look of the station, as it is now.
    ///   - rtspPort: the port of the RTSP listener, shown on the about page.
    package init(
        content: any ContentSource, club: VideoClub? = nil, editsChannels: Bool = false, finders: Finders = Finders(),
        face: @escaping @Sendable () -> StationFace = { StationFace() }, rtspPort: @escaping @Sendable () -> Int
    ) {
        self.content = content
        self.editsChannels = editsChannels
        (self.finders, self.face) = (finders, face)
        videoClub = VideoClubPage(
            content: content, library: content.library, club: club, watched: finders.watched)
        titlePage = TitlePage(lists: videoClub, position: finders.position)
        self.rtspPort = rtspPort
    }

    /// Renders an error of the router as a page.
    ///
    /// - Throws: an error if the page cannot be rendered.
    package static let problemPage: EndpointTable.ProblemPage = { problem, request, context in
        if problem.status == .unauthorized, request.method != .post, let path = request.head.path,
            let page = ReturnPath(parsing: path)
        {
            return Response(
                status: .seeOther,
                headers: [
                    .location: "\(AccountPath.logIn)?next=\(SitePage.queryComponent(page.text))",
                    .cacheControl: "private, no-store",
                ])
        }
        return try SitePage(.problem, request, context).response(problem)
    }

    /// Number of titles and of tracks on the home page, and of items that a member goes on with.
    static let newestCount = 12

    private static let listReason = "what the visitor may not read is left out"

    package var endpoints: [Endpoint] {
        [
            ChartEndpoint(content: content).endpoint, TestPlayerPage().endpoint,
            Endpoint(.get, "/", .filters(reason: Self.listReason)) { request, context in
                try await overview(SitePage(.overview, request, context), context)
            },
            Endpoint(.get, "/videoclub", .titles) { request, context in
                try await videoClub.answer(request, SitePage(.videoclub, request, context), context) { title in
                    try await titlePage.answer(title, request, context)
                }
            },
            Endpoint(.get, "/radio", .tracks) { request, context in
                try await radio(request, SitePage(.radio, request, context), context)
            },
        ] + collectionPages.endpoints + [
            SearchPage(content: content, videoClub: videoClub, community: finders.community).endpoint,
            Endpoint(.get, ResourcePaths.live, .filters(reason: Self.listReason)) { request, context in
                let page = SitePage(.live, request, context)
                return try live(context.watchable(content.channels()), page, context)
            },
            Endpoint(.get, "\(ResourcePaths.live)/{name}", .channel(.read)) { request, context in
                let name = try context.parameters.require("name")
                guard let channel = content.channel(named: name) else {
                    throw ProblemDetails(.notFound, "there is no channel \(name)")
                }
                let page = SitePage(.live, request, context)
                let recordings = try await videoClub.newest(
                    .recording, channel: name, page, context, limit: Self.newestCount)
                return try live(
                    [channel], page, context, title: SitePage.displayed(channel.title), recordings: recordings,
                    preview: page.preview(
                        "video.other", of: channel.title, at: ResourcePaths.page(ofChannel: name),
                        text: channel.description ?? "", image: channel.cover ?? ResourcePaths.thumbnail(of: channel),
                        nil))
            },
            Endpoint(.get, "/acerca", .needs(.read, .site)) { request, context in
                try await aboutPage(SitePage(.about, request, context), context)
            },
        ] + [lyrics] + InstallationPages().endpoints + SiteAssetEndpoints(face: face).endpoints
    }

    private var collectionPages: CollectionPages { CollectionPages(content: content, videoClub: videoClub) }

    /// The words of a song, which stand in a file beside it.
    private var lyrics: Endpoint {
        Endpoint(.get, "/radio/{id}/letra", .track(.read)) { _, context in
            guard let track = try await content.track(id: try context.parameters.require("id")),
                let text = await content.lyrics(of: track)
            else { throw ProblemDetails(.notFound, "the track has no lyrics") }
            return Response(
                status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "private, no-cache"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        }.forPrograms
    }

    // MARK: Pages

    /// The page of live channels.
    ///
    /// - Parameters:
    ///   - channels: those that the visitor may watch.
    ///   - page: the page.
    ///   - context: who the visitor is.
    ///   - title: the title of the only channel on the page; `nil` for the page of all.
    ///   - recordings: the cards of the channel's recordings.
    ///   - preview: what other sites show of a link to the page.
    private func live(
        _ channels: [ChannelStatus], _ page: SitePage, _ context: GatewayRequestContext, title: String? = nil,
        recordings: [[String: Any]] = [], preview: [SitePage.PreviewField] = []
    ) throws -> Response {
        let scoreWords = ScoreboardPages.words(page.text.language)
        let isEditor = editsChannels && context.principal.member != nil && context.may(.administer, .system)
        var values: [String: Any] = [
            "channels": Self.onAirFirst(channels).map { channel in
                var values = page.channel(channel)
                if isEditor { values["edit"] = EditingPath.channel(channel.name) }
                let audience = context.identity.audiences.channel(channel.name)
                if context.principal.member != nil, context.may(.publish, audience) {
                    values["broadcast"] = BroadcastPage.path(ofChannel: channel.name)
                }
                if title != nil {
                    if isEditor {
                        let text = CaptureClockText.of(page.text.siteLanguage)
                        values["captureClock"] = ["heading": text.heading, "words": text.words]
                    }
                    values["scoreWords"] = scoreWords
                    values["rtsp"] = "rtsp://\(page.host):\(rtspPort())/live/\(channel.name).stream"
                    values["code"] = QRCode(page.origin + channel.playlist)?.svg(label: page.text.watchInApp)
                }
                return values
            }, "viewerForms": page.text.viewers.json,
        ]
        if title != nil {
            values["all"] = ResourcePaths.live
            values["talk"] = channels.first.map { ForumPath.channel + SitePage.queryComponent($0.name) }
        }
        if !recordings.isEmpty { values["recorded"] = ["items": recordings] }
        var response = try page.response(values, title: title, preview: preview)
        let origins = channels.compactMap(\.cover).compactMap(ChannelCover.origin(ofAddress:))
        if !origins.isEmpty {
            response.headers[.contentSecurityPolicy] = ContentSecurityPolicy(imageOrigins: Set(origins)).text
        }
        return response
    }

    /// Channels that are on the air, and then the others; both in their own order.
    private static func onAirFirst(_ channels: [ChannelStatus]) -> [ChannelStatus] {
        channels.filter { $0.state == .live } + channels.filter { $0.state != .live }
    }

    private func overview(_ page: SitePage, _ context: GatewayRequestContext) async throws -> Response {
        let films = try await videoClub.newest(.film, page, context, limit: Self.newestCount)
        let recordings = try await videoClub.newest(.recording, page, context, limit: Self.newestCount)
        let tracks = try await content.newestTracks(limit: Self.newestCount, visible: context.visibleTracks)
            .filter { $0.state == .ready }
        let channels = Self.onAirFirst(context.watchable(content.channels()))
        var values: [String: Any] = [
            "channels": channels.map(page.channel), "titles": films, "recordings": recordings,
            "tracks": tracks.map(page.track),
            "hasChannels": !channels.isEmpty, "hasTitles": !films.isEmpty, "hasRecordings": !recordings.isEmpty,
            "hasTracks": !tracks.isEmpty, "isEmpty": films.isEmpty && recordings.isEmpty && tracks.isEmpty,
        ]
        if let hero = Self.hero(channels, films + recordings, page) { values["hero"] = hero }
        if context.principal.member != nil, let items = try await finders.continued?(context, Self.newestCount),
            !items.isEmpty
        {
            values["continued"] = ["items": items.map(page.continued)]
        }
        if let find = finders.competitions {
            let (found, now) = try await find(Self.newestCount)
            if !found.isEmpty {
                let text = CommunityText.of(page.text.siteLanguage)
                values["competitions"] =
                    [
                        "c": text,
                        "items": found.map {
                            CompetitionCard(competition: $0, now: now, mayEdit: false).values(text)
                        },
                    ] as [String: Any]
            }
        }
        return try page.response(values)
    }

    /// The large picture of the home page: the channel that is on the air, else the newest title that has a poster.
    private static func hero(
        _ channels: [ChannelStatus], _ titles: [[String: Any]], _ page: SitePage
    ) -> [String: Any]? {
        if let channel = channels.first(where: { $0.state == .live }) {
            var values = page.channel(channel)
            values["id"] = channel.name
            values["name"] = SitePage.displayed(channel.title)
            values["badge"] = page.text.stateLive
            values["text"] = channel.description.map(SitePage.displayed)
            return values
        }
        guard let title = titles.first(where: { $0["poster"] != nil }), let id = title["id"] as? String,
            let name = title["title"]
        else { return nil }
        var values: [String: Any] = [
            "state": "idle", "name": name, "path": ResourcePaths.page(ofTitle: id), "picture": title["poster"] ?? "",
        ]
        values["text"] = title["description"]
        return values
    }

    private func radio(
        _ request: Request, _ page: SitePage, _ context: GatewayRequestContext
    ) async throws -> Response {
        let (wanted, order) = (
            try PageRequest(request), SitePage.order(request)
        )
        let tracks = try await content.tracks(
            RecordQuery(matching: wanted.query, order: order, visible: context.visibleTracks), after: wanted.cursor,
            limit: wanted.limit)
        var selected = tracks.items.first { $0.state == .ready }
        var (name, preview) = (String?.none, [SitePage.PreviewField]())
        var values = page.list(
            wanted, .library(order, page.text), next: tracks.next, isEmpty: tracks.items.isEmpty)
        var status = HTTPResponse.Status.ok
        if let id = PageRequest.value(of: "track", in: request) {
            let mayRead = context.may(.read, context.identity.audiences.track(id: id))
            let track = mayRead ? try await content.track(id: id) : nil
            guard track != nil || AcceptedTypes.preferHTML(request) else {
                throw ProblemDetails(.notFound, "there is no track \(id)")
            }
            if track == nil { status = .notFound }
            selected = track?.state == .ready ? track : nil
            values["notice"] = page.notice(track)
            if let track {
                name = SitePage.displayed(track.title)
                preview = page.preview(
                    "music.song", of: track.title, at: CollectionPath.track(track.id),
                    text: [track.artist, track.album].compactMap(\.self).joined(separator: " · "),
                    image: ResourcePaths.cover(track), nil)
            }
        }
        values["tracks"] = tracks.items.map(page.track)
        if let selected {
            var shown = page.track(selected)
            if context.may(.manage, context.identity.audiences.track(id: selected.id)), context.principal.member != nil
            {
                shown["edit"] = EditingPath.track(selected.id)
            }
            values["selected"] = shown
        }
        values["searchLabel"] = page.text.searchTracks
        values["openNow"] = page.playerText.words["openNow"] ?? ""
        if wanted.query == nil, wanted.cursor == nil {
            values.merge(try await collectionPages.covers(page, context, limit: Self.newestCount)) { $1 }
        }
        return try page.response(values, title: name, preview: preview, status: status)
    }

    private func aboutPage(_ page: SitePage, _ context: GatewayRequestContext) async throws -> Response {
        let numbers = try await AboutNumbers(of: content, context)
        let chart = numbers.chart(page.text)
        let rtsp = "rtsp://\(page.host):\(rtspPort())"
        let channels = context.watchable(content.channels())
        let first = channels.first?.name ?? "canalA"
        let shares: [[String: Any]] = zip(chart.categories, chart.percentages).map {
            ["name": $0.name, "count": $0.count, "percentage": $1]
        }
        var values: [String: Any] = [
            "software": UsedSoftware.all.map(\.values),
            "testPlayer": page.playerText.words["testPlayer"] ?? "", "shares": shares, "summary": chart.summary,
            "channelsOnAir": numbers.channelsOnAir,
            "rtspAddress": "\(rtsp)/live/\(first).stream",
            "hlsAddress": "\(page.origin)/live/\(first).stream/playlist.m3u8",
            "channels": channels.map {
                ["title": $0.title, "rtsp": "\(rtsp)/live/\($0.name).stream", "hls": page.origin + $0.playlist]
            },
        ]
        if let text = page.face.text(page.text.language) { values["station"] = SitePage.displayedLines(text) }
        return try page.response(values)
    }
}
