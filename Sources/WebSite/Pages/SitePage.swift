import Accounts
import APIContract
import Catalogue
import Foundation
import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LibraryDetails
import LiveChannels
import MediaCore
import NIOCore
import Packaging
import PlaybackPositions
import SiteTexts
import Workflows

/// One page for one visitor: its language, the server's address, and the values of its template.
struct SitePage {
    let template: SiteTemplates.Name
    let text: SiteText
    /// The host as the visitor addressed it, without the port; IPv6 in brackets.
    let host: String
    /// The origin of the site, such as `http://192.0.2.1:8080`.
    let origin: String
    /// The link of the header to somebody's account, or to the log-in.
    let account: (path: String, name: String)
    /// The number of unread notifications; `nil` if the visitor has none.
    private let unreadCount: Int?
    private let bellName: String
    /// The notices on top of the page.
    private let notices: [[String: Any]]
    /// Whether the page is for one visitor only.
    private let isPersonal: Bool
    /// Whether the page may be compressed. Pages of members hold the token of their session, which the length of a
    /// compressed page beside a stranger's words would tell (https://breachattack.com).
    private let isCompressed: Bool
    /// The token with which scripts of the page make changes (X-CSRF-Token); `nil` for a visitor without a session.
    private let csrfToken: String?
    let playerText: PlayerText
    let face: StationFace
    /// Whether others see the page of maintenance instead.
    private let isOpenInMaintenance: Bool
    /// The name of the station, which pages bear.
    private let siteName: String
    /// The visitor's choice of light or dark; `nil` for that of the system.
    private let theme: String?

    init(_ template: SiteTemplates.Name, _ request: Request, _ context: GatewayRequestContext) {
        self.template = template
        text = SiteText.preferred(request.headers[.acceptLanguage])
        let member = context.principal.member
        isPersonal = member != nil
        isCompressed = member == nil && AcceptedCodings.includeGzip(request.headers[.acceptEncoding])
        unreadCount = context.unreadCount
        bellName = NotificationText.preferred(request.headers[.acceptLanguage]).heading
        notices = Self.notices(request, context)
        csrfToken = context.csrfToken
        playerText = PlayerText.preferred(request.headers[.acceptLanguage])
        face = context.face
        isOpenInMaintenance = face.maintenance != nil && context.may(.manage, .system)
        siteName = Self.displayed(face.name)
        theme = RequestCookie.value(named: Self.themeCookie, in: request.headers).flatMap {
            Self.themes.contains($0) ? $0 : nil
        }
        account =
            member.map { (AccountPath.account, Self.displayed($0.username)) }
            ?? (AccountPath.logIn, AccountText.preferred(request.headers[.acceptLanguage]).logIn)
        let fallback =
            context.localAddress.map { "\($0.ipAddress ?? "127.0.0.1"):\($0.port ?? 8080)" } ?? "127.0.0.1:8080"
        let authority = Self.validated(request.head.authority) ?? fallback
        origin = Self.origin(scheme: request.head.scheme, authority: authority)
        let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
        host = String(authority[..<(end ?? authority.firstIndex(of: ":") ?? authority.endIndex)])
    }

    /// The origin under which a visitor sees the site: that of the request, whose scheme a trusted proxy may have told.
    static func origin(scheme: String?, authority: String) -> String {
        "\(scheme == "https" ? "https" : "http")://\(authority)"
    }

    /// A property of the Open Graph protocol and its value.
    typealias PreviewField = (property: String, content: String)

    /// The same as a page in another form.
    typealias AlternateLink = (type: String, address: String, title: String)

    /// Limit of the text in previews of links.
    private static let previewLength = 200

    /// The address of a path, for other sites and programs.
    ///
    /// - Parameter publicAddress: the address at which visitors reach the site; `nil` if the operator has not named it.
    func url(_ path: String, _ publicAddress: PublicAddress?) -> String { publicAddress?.url(path) ?? origin + path }

    /// The preview of a link to a page on other sites (https://ogp.me).
    ///
    /// - Parameters:
    ///   - type: what the page is about, such as `website`.
    ///   - name: its heading.
    ///   - path: its path.
    ///   - text: what it says, which is shortened.
    ///   - image: the path or address of an image; `nil` for none.
    ///   - publicAddress: the address at which visitors reach the site; `nil` if the operator has not named it.
    func preview(
        _ type: String, of name: String, at path: String, text: String, image: String?, _ publicAddress: PublicAddress?
    ) -> [PreviewField] {
        func url(_ path: String) -> String { self.url(path, publicAddress) }
        var fields: [PreviewField] = [
            ("og:type", type), ("og:site_name", siteName), ("og:title", name), ("og:url", url(path)),
        ]
        let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if !text.isEmpty { fields.append(("og:description", String(text.prefix(Self.previewLength)))) }
        // A channel may have an image on another server.
        if let image { fields.append(("og:image", image.hasPrefix("/") ? url(image) : image)) }
        return fields
    }

    /// The preview of a link to a title's page on other sites.
    ///
    /// - Parameters:
    ///   - title: the title, which the visitor may see.
    ///   - path: the path of the page.
    ///   - publicAddress: the address at which visitors reach the site; `nil` if the operator has not named it.
    func preview(of title: TitleRecord, at path: String, _ publicAddress: PublicAddress?) -> [PreviewField] {
        preview(
            "video.other", of: title.title, at: path, text: title.details.text(.description) ?? "",
            image: self.title(title)["poster"] as? String, publicAddress)
    }

    /// Limit of the Host field: a host name (RFC 1035 §2.3.4), brackets and a port.
    private static let maximumAuthorityByteCount = 263

    /// Returns the Host field if it only has characters of a host and a port, otherwise `nil`, because it is shown on
    /// pages and copied into terminals.
    static func validated(_ authority: String?) -> String? {
        guard let authority, !authority.isEmpty, authority.utf8.count <= maximumAuthorityByteCount,
            authority.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._:[]".contains($0)) })
        else { return nil }
        return authority
    }

    /// Renders the page.
    ///
    /// - Parameters:
    ///   - values: the values of the template.
    ///   - title: the title of the browser's window; `nil` for that of the template.
    ///   - preview: what other sites show of a link to the page.
    ///   - links: the same in other forms, such as a feed.
    ///   - structuredData: JSON-LD about the page's content, with nothing in it that ends a `script` element; `nil`
    ///     for none.
    ///   - around: further values of the layout, such as banners.
    ///   - status: the status of the response; 404 if a list is shown instead of a missing item.
    func response(
        _ values: [String: Any], title: String? = nil, preview: [PreviewField] = [],
        links: [AlternateLink] = [], structuredData: String? = nil, around: [String: Any] = [:],
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        var values = values
        values["t"] = text
        values["origin"] = origin
        values["logInPath"] = AccountPath.logIn
        values["version"] = Product.version
        values["site"] = siteName
        var layout = SiteAssets.versions.merging(face.values) { $1 }.merging(around) { own, _ in own }
        layout["t"] = text
        layout["site"] = siteName
        layout["title"] = title ?? name(of: template)
        layout["preview"] = preview.map { ["property": $0.property, "content": Self.displayed($0.content)] }
        layout["links"] = links.map { ["type": $0.type, "address": $0.address, "title": Self.displayed($0.title)] }
        if let structuredData { layout["structuredData"] = structuredData }
        layout["version"] = Product.version
        layout["install"] = InstallationPath.install
        layout["help"] = ["path": SupportPages.path, "name": text.help] as [String: Any]
        layout["content"] = try SiteTemplates.render(template, values)
        let sections: [[String: Any]] = Self.navigation.map { entry in
            [
                "path": entry.path, "name": name(of: entry.page), "icon": entry.icon,
                "current": entry.page == template.section,
            ]
        }
        layout["navigation"] = sections
        layout["tabs"] = sections + [["path": "#more", "name": text.moreLinks, "icon": Self.moreIcon]]
        if let theme { layout["theme"] = theme }
        if template == .overview { layout["isHome"] = true }
        if template.section == .about { layout["isAbout"] = true }
        var link: [String: Any] = ["path": account.path, "name": account.name, "current": template == .account]
        if isPersonal { link["avatar"] = Self.avatar(account.name, photo: nil) }
        layout["account"] = link
        layout["notices"] = notices
        layout["wordsVersion"] = playerText.version
        if let csrfToken { layout["csrfToken"] = csrfToken }
        if isOpenInMaintenance { layout["maintenance"] = ["text": text.maintenanceNotice] }
        if let unreadCount { layout["bell"] = Self.bell(unreadCount, bellName) }
        return response(html: try SiteTemplates.render(.layout, layout), status: status)
    }

    /// Renders the template without the site around it.
    func bareResponse(_ values: [String: Any]) throws -> Response {
        var values = values.merging(SiteAssets.versions) { own, _ in own }.merging(face.values) { own, _ in own
        }
        values["t"] = text
        values["site"] = siteName
        values["wordsVersion"] = playerText.version
        return response(html: try SiteTemplates.render(template, values), status: .ok)
    }

    private func response(html: String, status: HTTPResponse.Status) -> Response {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .cacheControl: isPersonal ? "private, no-store" : "no-cache",
            .vary: "Accept, Accept-Encoding, Accept-Language, Cookie", .contentLanguage: text.language,
        ]
        let rendered = RenderedPlaylist { html }
        guard isCompressed, let gzipped = rendered.gzipped else {
            return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: rendered.plain))
        }
        headers[.contentEncoding] = "gzip"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: gzipped))
    }

    /// The highest number that the badge shows.
    private static let maximumShownCount = 99

    private static func bell(_ count: Int, _ name: String) -> [String: Any] {
        let shown = count > maximumShownCount ? "\(maximumShownCount)+" : "\(count)"
        return [
            "path": ResourcePaths.notifications, "name": name, "label": count > 0 ? "\(name): \(shown)" : name,
            "count": shown, "isUnread": count > 0,
        ]
    }

    /// The cookie in which a browser keeps the choice of light or dark; the script sets it.
    private static let themeCookie = "antena_theme"
    private static let themes = ["light", "dark"]

    /// The sections, with the outlines of their icons (24 × 24).
    private static let navigation: [(path: String, page: SiteTemplates.Name, icon: String)] = [
        (
            ResourcePaths.live, .live,
            "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM7.8 7.8a6 6 0 0 0 0 8.4l-1.4 1.4a8 8 0 0 1 0-11.2zm8.4 0 1.4-1.4a8 8 0 0 1 "
                + "0 11.2l-1.4-1.4a6 6 0 0 0 0-8.4zM4.9 4.9 3.5 3.5a12 12 0 0 0 0 17l1.4-1.4a10 10 0 0 1 0-14.2zm14.2 "
                + "0 1.4-1.4a12 12 0 0 1 0 17l-1.4-1.4a10 10 0 0 0 0-14.2z"
        ),
        (
            "/videoclub", .videoclub,
            "M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zm0 2v2h2V6zm0 5v2h2v-2zm0 5v2h2v-2zm14-"
                + "10v2h2V6zm0 5v2h2v-2zm0 5v2h2v-2zM10 8.5v7l5.5-3.5z"
        ),
        ("/radio", .radio, "M12 3v10.6A4 4 0 1 0 14 17V7h5V3z"),
        (
            CommunityPath.community, .community,
            "M9 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zm0 10c3.3 0 7 1.6 7 4v2H2v-2c0-2.4 3.7-4 7-4zm7.5-9.8a4 4 0 0 1 0 7.6 6 6 0 0 0 "
                + "0-7.6zM18 14.6c2.3.6 4 1.8 4 3.4v2h-4v-2c0-1.3-.7-2.5-1.8-3.5z"
        ),
    ]
    private static let moreIcon =
        "M5 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm7 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm7 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4z"

    private func name(of page: SiteTemplates.Name) -> String {
        switch page {
        case .layout, .overview: text.overview
        case .videoclub: text.videoClub
        case .radio: text.radio
        case .live, .broadcast, .scoreboards, .scoreboard, .referee, .tablet, .matchSetUp, .players, .strategy,
            .results, .result, .playerStatistics:
            text.live
        case .about, .tester: text.about
        case .community, .competition, .forum, .topic, .forumRules, .messages, .conversation: text.community
        case .account, .dashboard, .dashboardState, .dashboardGraphs, .operatorLog, .operatorLogLine, .components:
            account.name
        case .api: "API"
        case .problem: text.pageNotFound
        case .videos, .video, .embedding: text.videos
        case .series, .episodes: text.series
        case .albums, .album: text.albums
        case .title: text.videoClub
        case .search: text.search
        case .installation: text.installApp
        }
    }

    /// A stand-in for a missing picture: the first letter of a name, and one of twelve colours that stays.
    private static let placeholderColours = 12

    static func placeholder(_ name: String) -> [String: Any] {
        let letter = displayed(name).first { $0.isLetter || $0.isNumber } ?? "·"
        let colour = name.utf8.reduce(0) { ($0 + Int($1)) % placeholderColours }
        return ["letter": String(letter).uppercased(), "hue": colour]
    }

    /// A member's photo, or the first letter of the name in its place.
    ///
    /// - Parameters:
    ///   - name: the name of the member.
    ///   - photo: the path of the photo; `nil` for a member without one, or whose photo the visitor may not see.
    static func avatar(_ name: String, photo: String?) -> [String: Any] {
        // A value of its own, because a template looks for a missing one in what is around it.
        placeholder(name).merging(["photo": photo ?? false]) { $1 }
    }

    /// Renders an error of the router for a browser.
    ///
    /// - Throws: an error if the page cannot be rendered.
    func response(_ problem: ProblemDetails) throws -> Response {
        if let text = face.maintenance, problem.status == .serviceUnavailable, problem.detail == text {
            return try response(
                ["heading": self.text.inMaintenance, "explanation": Self.displayedLines(text)],
                title: self.text.inMaintenance, around: ["isClosed": true], status: problem.status)
        }
        let isMissing = problem.status == .notFound
        return try response(
            Self.present([
                "heading": isMissing ? text.pageNotFound : text.requestFailed, "status": "\(problem.status.code)",
                "explanation": isMissing ? text.pageNotFoundText : text.explanation(of: problem),
            ]), status: problem.status)
    }

    /// The notice about the title in the page's URL; `nil` if the title can be shown.
    func notice(_ title: TitleRecord?) -> [String: Any]? {
        notice(state: title?.state, error: title?.error, missing: text.noSuchTitle, failed: text.titleFailed)
    }

    /// The notice about the track in the page's URL; `nil` if the track can be shown.
    func notice(_ track: AudioTrackRecord?) -> [String: Any]? {
        notice(state: track?.state, error: track?.error, missing: text.noSuchTrack, failed: text.trackFailed)
    }

    private func notice(state: TitleState?, error: String?, missing: String, failed: String) -> [String: Any]? {
        switch state {
        case .ready: nil
        case nil: ["text": missing]
        case .failed: Self.present(["text": failed, "detail": reason(error)])
        case .cancelled: Self.present(["text": text.preparationCancelled, "detail": reason(error)])
        default: ["text": text.notReadyYet]
        }
    }

    /// Why a file cannot be played, in the language of the page.
    private func reason(_ error: String?) -> String? { error.map { MediaFailure.text($0, in: text.siteLanguage) } }

    /// A text as the value of a query parameter.
    static func queryComponent(_ text: String) -> String { PathEncoding.component(text) }

    // MARK: Values

    /// Limit of a text, longer than any URL or description on a page.
    private static let maximumTextCharacterCount = 10_000

    /// Leaves out values that are `nil`, because a template shows a section if its value exists. Strings are stripped
    /// of control and bidirectional characters, because names and errors come from files and publishers.
    private static func present(_ values: KeyValuePairs<String, Any?>) -> [String: Any] {
        var present: [String: Any] = [:]
        for case (let name, let value?) in values {
            present[name] = (value as? String).map(displayed) ?? value
        }
        return present
    }

    static func displayed(_ text: String) -> String {
        UntrustedText.stripped(text, maximumCharacterCount: maximumTextCharacterCount)
    }

    /// A text of several lines, each like ``displayed(_:)``, and none of them cut: it fits into a form.
    static func displayedLines(_ text: String) -> String {
        UntrustedText.strippedLines(text, maximumCharacterCount: FormFields.maximumByteCount)
    }

    func channel(_ channel: ChannelStatus) -> [String: Any] {
        Self.placeholder(channel.title).merging(values(of: channel)) { $1 }.merging(programme(of: channel)) { $1 }
    }

    /// The programmes that are on now and next, by the guide of the channel.
    private func programme(of channel: ChannelStatus) -> [String: Any] {
        // A value of its own, because a template looks for a missing one in what is around it.
        var values: [String: Any] = ["nowOn": false, "nextOn": false]
        guard let guide = face.guides[channel.name] else { return values }
        let slots = guide.slots(at: Date())
        func time(_ date: Date) -> PageText {
            PageText(WallClockTime(date), locale: text.siteLanguage.locale)
        }
        if let now = slots.now, channel.state != .idle {
            values["nowOn"] =
                [
                    "title": Self.displayed(now.title), "until": ("\(text.until) \(time(now.end))" as PageText).values,
                ] as [String: Any]
        }
        if let next = slots.next {
            values["nextOn"] = ["title": Self.displayed(next.title), "at": time(next.start).values] as [String: Any]
        }
        return values
    }

    private func values(of channel: ChannelStatus) -> [String: Any] {
        let stateText =
            switch channel.state {
            case .idle: text.stateIdle
            case .live: text.stateLive
            case .interrupted: text.stateInterrupted
            }
        return Self.present([
            "name": channel.name, "path": ResourcePaths.page(ofChannel: channel.name), "title": channel.title,
            "state": channel.state.rawValue, "stateText": stateText,
            "isOn": channel.state != .idle, "viewers": text.viewerCount(channel.viewers),
            "playlist": ResourcePaths.playerPlaylist(channel),
            "description": channel.description, "cover": channel.cover, "website": channel.website,
            "onAirFor": channel.since.map {
                text.onAirFor.filled("time", with: PlayingTime.rough(Date().timeIntervalSince($0)))
            },
        ])
    }

    func title(_ title: TitleRecord) -> [String: Any] {
        Self.placeholder(title.title).merging(values(of: title)) { $1 }
    }

    private func values(of title: TitleRecord) -> [String: Any] {
        let size = title.width.flatMap { width in title.height.map { "\(width) × \($0)" } }
        let details = [size, title.videoCodec, title.audioCodec].compactMap { $0 }.joined(separator: " · ")
        return Self.present([
            "id": title.id, "title": title.title, "state": title.state.rawValue,
            "stateText": text.state(title.state.rawValue), "isReady": title.state == .ready,
            "hasFailed": title.state.mayBeRetried, "error": reason(title.error), "progress": title.progress,
            "duration": title.duration.map(PlayingTime.text), "details": details,
            "playlist": ResourcePaths.playlist(title), "poster": ResourcePaths.poster(title),
            "storyboard": ResourcePaths.storyboard(title), "leftOut": title.leftOut.map(text.omission),
            "description": title.details.text(.description), "website": title.details.text(.website),
            "facts": Self.facts(title.details), "short": Self.shortFacts(title.details),
            "isFilm": title.kind == .film, "cast": title.details.texts(.cast)?.joined(separator: ", "),
            "mark": text.mark(title.kind), "episode": Self.episode(title.details),
            "seriesPath": title.seriesID.map(CollectionPath.series),
            "recordedChannel": RecordingName.channel(ofFile: title.file),
        ])
    }

    /// Year, genres and age rating; `nil` if none is known.
    private static func facts(_ details: ItemDetails) -> String? {
        let facts =
            [details.text(.artist), details.text(.album)].compactMap(\.self)
            + (details.number(.year).map { ["\($0)"] } ?? []) + (details.texts(.genres) ?? [])
            + (details.text(.ageRating).map { [$0] } ?? [])
        return facts.isEmpty ? nil : facts.joined(separator: " · ")
    }

    /// Year and first genre, for a card; `nil` if neither is known.
    private static func shortFacts(_ details: ItemDetails) -> String? {
        let facts = [details.number(.year).map { "\($0)" }, details.texts(.genres)?.first].compactMap(\.self)
        return facts.isEmpty ? nil : facts.joined(separator: " · ")
    }

    /// The series, and the numbers of season and episode; `nil` for a title that is not an episode.
    private static func episode(_ details: ItemDetails) -> String? {
        details.text(.series).map { series in
            let numbers = [details.number(.season), details.number(.episode)].compactMap(\.self).map { "\($0)" }
            return numbers.isEmpty ? series : "\(series) \(numbers.joined(separator: " × "))"
        }
    }

    func subtitles(_ subtitles: TitleSubtitles) -> [String: Any] {
        Self.present([
            "address": subtitles.address, "label": subtitles.label, "language": subtitles.language,
            "kind": subtitles.isForTheDeaf ? "captions" : "subtitles", "isDefault": subtitles.isDefault,
        ])
    }

    func job(_ job: JobRecord) -> [String: Any] {
        Self.present([
            "id": "\(job.number)", "file": job.file, "stateText": text.state(job.state.rawValue),
            "progress": job.progress,
        ])
    }

    /// A card of something to go on with.
    func continued(_ item: PositionedItem) -> [String: Any] {
        let (position, duration) = (item.position.position.seconds, item.position.duration.seconds)
        let shown = Self.present([
            "name": item.name, "poster": item.poster, "page": item.page, "progress": "\(position / duration)",
            "left": text.timeLeft.filled("time", with: PlayingTime.text(duration - position)),
        ])
        return Self.placeholder(item.name ?? "").merging(shown) { $1 }
    }

    func track(_ track: AudioTrackRecord) -> [String: Any] {
        Self.placeholder(track.album ?? track.title).merging(values(of: track)) { $1 }
    }

    private func values(of track: AudioTrackRecord) -> [String: Any] {
        Self.present([
            "id": track.id, "title": track.title, "artist": track.artist ?? "",
            "album": track.album ?? "",
            "year": track.year, "isReady": track.state == .ready, "stateText": text.state(track.state.rawValue),
            "duration": track.duration.map(PlayingTime.text), "playlist": ResourcePaths.playlist(track),
            "file": "/radio/\(track.id)/file", "cover": ResourcePaths.cover(track),
            "albumPath": track.albumID.map(CollectionPath.album),
            "artistPath": track.artistID.map(CollectionPath.artist),
        ])
    }

    /// The values of a list: the search text, the orders, and the URLs of the first and the next page.
    func list(_ wanted: PageRequest, _ choice: ListChoice, next: String?, isEmpty: Bool) -> [String: Any] {
        let words = wanted.query.map { "q=\(Self.encoded($0))" }
        let filters = choice.filters.map { "\($0.name)=\(Self.encoded($0.value))" }
        func joined(_ parts: [String?]) -> String { parts.compactMap(\.self).joined(separator: "&") }
        func sorted(_ order: String) -> String {
            joined([words] + filters + [choice.sorting(order).map { "sort=\($0)" }])
        }
        let kept = sorted(choice.order)
        let query = kept.isEmpty ? nil : kept
        let nextQuery = next.map { "?" + joined([query, "cursor=\(Self.encoded($0))"]) }
        let orders: [[String: Any]] = choice.orders.map { order in
            var values: [String: Any] = ["address": "?" + sorted(order.value), "name": order.name]
            if order.value == choice.order { values["current"] = true }
            return values
        }
        let cursor = wanted.cursor.map { "cursor=\(Self.encoded($0))" }
        let isFiltered = wanted.query != nil || !choice.filters.isEmpty
        return Self.present([
            // The part of the query that links to items keep, so that a reload shows the same list.
            "kept": [query, cursor].compactMap { $0 }.map { "\($0)&" }.joined(),
            "query": wanted.query ?? "", "next": nextQuery, "sorted": choice.sorting(choice.order),
            "sorting": isEmpty ? nil : ["orders": orders],
            "first": wanted.cursor == nil ? nil : "?" + (query ?? ""),
            "nothingFound": isEmpty && wanted.query != nil,
            "nothingHere": isEmpty && wanted.query == nil && isFiltered, "isEmpty": isEmpty && !isFiltered,
        ])
    }

    /// The order of a list that a visitor asks for; that of the titles for anything that is not one.
    static func order(_ request: Request) -> RecordOrder {
        PageRequest.value(of: "sort", in: request).flatMap(RecordOrder.init(rawValue:)) ?? .title
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
                return "\(character)"
            }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
