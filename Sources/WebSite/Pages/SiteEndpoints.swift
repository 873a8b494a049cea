import Accounts
import Catalogue
import HLSDelivery
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LiveChannels
import MediaCore
import NIOCore
import SiteTexts
package import VideoClub
package import Workflows

/// The endpoints of the built-in site, which is rendered on the server with one style sheet and one script.
package struct SiteEndpoints: Sendable {
    let content: any ContentSource
    /// The port of the RTSP listener, for the commands on the about page.
    let rtspPort: @Sendable () -> Int
    private let videoClub: VideoClubPage
    private let editsChannels: Bool
    private let continued: Continued?

    /// Finds up to a number of items that a member can go on watching, the last watched first.
    package typealias Continued = @Sendable (GatewayRequestContext, _ limit: Int) async throws -> [PositionedItem]

    /// - Parameters:
    ///   - content: the library and the channels that are shown.
    ///   - club: what is rented; `nil` for a server without a video club.
    ///   - editsChannels: whether there is a form for what people read about channels.
    ///   - continued: finds what a member can go on watching; `nil` for a server without accounts.
    ///   - rtspPort: the port of the RTSP listener, shown on the about page.
    package init(
        content: any ContentSource, club: VideoClub? = nil, editsChannels: Bool = false, continued: Continued? = nil,
        rtspPort: @escaping @Sendable () -> Int
    ) {
        self.content = content
        self.editsChannels = editsChannels
        self.continued = continued
        videoClub = VideoClubPage(content: content, library: content.library, club: club)
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

    private static let styleVersion = SiteAssets.version(of: SiteAssets.styleSheet)
    private static let scriptVersion = SiteAssets.version(of: SiteAssets.script)

    private static let listReason = "what the visitor may not read is left out"
    private static let assetReason = "style sheet, script and icon are the same for everybody"

    package var endpoints: [Endpoint] {
        [
            ChartEndpoint(content: content).endpoint, TestPlayerPage().endpoint,
            Endpoint(.get, "/", .filters(reason: Self.listReason)) { request, context in
                try await overview(SitePage(.overview, request, context), context)
            },
            Endpoint(.get, "/videoclub", .titles) { request, context in
                try await videoClub.answer(request, SitePage(.videoclub, request, context), context)
            },
            Endpoint(.get, "/radio", .tracks) { request, context in
                try await radio(request, SitePage(.radio, request, context), context)
            },
        ] + CollectionPages(content: content, videoClub: videoClub).endpoints + [
            SearchPage(content: content, videoClub: videoClub).endpoint,
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
                return try live(
                    [channel], page, context, title: SitePage.displayed(channel.title),
                    preview: page.preview(
                        "video.other", of: channel.title, at: ResourcePaths.page(ofChannel: name),
                        text: channel.description ?? "", image: channel.cover, nil))
            },
            Endpoint(.get, "/acerca", .needs(.read, .site)) { request, context in
                try await aboutPage(SitePage(.about, request, context), context)
            },
            Self.versionedAsset("antena.css", version: Self.styleVersion),
            Self.versionedAsset("antena.js", version: Self.scriptVersion),
            Self.versionedAsset("player.css", version: SiteAssets.playerVersion),
            Endpoint(.get, "/site/{version}/player/{module}", .open(reason: Self.assetReason)) { request, context in
                try Self.playerModule(request, context)
            },
            // At the root, because a service worker serves the pages below its own path. Browsers that registered it at
            // the other path go on with that one.
            Endpoint(.get, "/service-worker.js", .open(reason: Self.assetReason)) { _, _ in Self.serviceWorker },
            Endpoint(.get, "/site/push.js", .open(reason: Self.assetReason)) { _, _ in Self.serviceWorker },
            Endpoint(.get, "/favicon.ico", .open(reason: Self.assetReason)) { _, _ in
                // Programs that do not read pages ask for this name.
                Response(
                    status: .movedPermanently,
                    headers: [.location: "/site/icon.svg", .cacheControl: "public, max-age=86400"])
            },
            Endpoint(.get, "/robots.txt", .open(reason: Self.assetReason)) { _, _ in
                Self.asset(Self.robots, "text/plain; charset=utf-8", cacheControl: "public, max-age=86400")
            },
            Endpoint(.get, "/site/icon.svg", .open(reason: Self.assetReason)) { _, _ in
                Self.asset(SiteAssets.icon, "image/svg+xml", cacheControl: "public, max-age=86400")
            },
        ]
    }

    /// The paths that search engines leave alone: forms, accounts and the API (RFC 9309).
    private static let robots = """
        User-agent: *
        Disallow: /api/
        Disallow: /cuenta
        Disallow: /operator/

        """

    /// An asset that may be cached forever, because its URL contains its version. A page from before an upgrade, or
    /// from another server behind the same name, requests another version and is redirected to the current one, which
    /// works better than a missing style or script; the redirect is not cached.
    private static func versionedAsset(_ name: String, version: String) -> Endpoint {
        Endpoint(.get, "/site/{version}/\(name)", .open(reason: Self.assetReason)) { request, context in
            guard try context.parameters.require("version") == version, let asset = SiteAssets.versioned[name] else {
                return Response(
                    status: .temporaryRedirect,
                    headers: [.location: "/site/\(version)/\(name)", .cacheControl: "no-store"])
            }
            return asset.response(to: request, cacheControl: CachePolicy.immutable)
        }
    }

    private static var serviceWorker: Response {
        asset(SiteAssets.serviceWorker, "text/javascript; charset=utf-8", cacheControl: "no-cache")
    }

    /// A module of the player. One of another version leads to the current one, which imports modules of its own
    /// version only.
    private static func playerModule(_ request: Request, _ context: GatewayRequestContext) throws -> Response {
        let name = try context.parameters.require("module")
        guard let module = SiteAssets.playerModules[name] else {
            throw ProblemDetails(.notFound, "there is no such module")
        }
        guard try context.parameters.require("version") == SiteAssets.playerVersion else {
            return Response(
                status: .temporaryRedirect,
                headers: [.location: "/site/\(SiteAssets.playerVersion)/player/\(name)", .cacheControl: "no-store"])
        }
        return module.response(to: request, cacheControl: CachePolicy.immutable)
    }

    private static func asset(_ text: String, _ type: String, cacheControl: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .cacheControl: cacheControl],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// The versions in the URLs of the style sheet and the script, for the layout.
    static var assetVersions: [String: Any] {
        ["styleVersion": styleVersion, "scriptVersion": scriptVersion, "playerVersion": SiteAssets.playerVersion]
    }

    // MARK: Pages

    /// The page of live channels.
    ///
    /// - Parameters:
    ///   - channels: those that the visitor may watch.
    ///   - page: the page.
    ///   - context: who the visitor is.
    ///   - title: the title of the only channel on the page; `nil` for the page of all.
    ///   - preview: what other sites show of a link to the page.
    private func live(
        _ channels: [ChannelStatus], _ page: SitePage, _ context: GatewayRequestContext, title: String? = nil,
        preview: [SitePage.PreviewField] = []
    ) throws -> Response {
        let isEditor = editsChannels && context.principal.member != nil && context.may(.administer, .system)
        var values: [String: Any] = [
            "channels": Self.onAirFirst(channels).map { channel in
                var values = page.channel(channel)
                if isEditor { values["edit"] = EditingPath.channel(channel.name) }
                if title != nil {
                    values["rtsp"] = "rtsp://\(page.host):\(rtspPort())/live/\(channel.name).stream"
                    values["code"] = QRCode(page.origin + channel.playlist)?.svg(label: page.text.watchInApp)
                }
                return values
            }, "viewerForms": page.text.viewers.json,
        ]
        if title != nil { values["all"] = ResourcePaths.live }
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
        if context.principal.member != nil, let items = try await continued?(context, Self.newestCount), !items.isEmpty
        {
            values["continued"] = ["items": items.map(page.continued)]
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
        return try page.response([
            "testPlayer": page.playerText.words["testPlayer"] ?? "", "shares": shares, "summary": chart.summary,
            "channelsOnAir": numbers.channelsOnAir,
            "rtspAddress": "\(rtsp)/live/\(first).stream",
            "hlsAddress": "\(page.origin)/live/\(first).stream/playlist.m3u8",
            "channels": channels.map {
                ["title": $0.title, "rtsp": "\(rtsp)/live/\($0.name).stream", "hls": page.origin + $0.playlist]
            },
        ])
    }
}
