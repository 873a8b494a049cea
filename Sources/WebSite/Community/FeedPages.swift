import APIContract
import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import NIOCore
import SiteTexts
import Workflows

/// The lists of videos as feeds: all, those that a search finds, those of a competition or one of its days, and those
/// of a member.
struct FeedPages: Sendable {
    let pages: PublishedVideoPages

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, VideoPath.listFeed, PublishedVideoPages.reading) { request, context in
                try await answer(
                    try VideoListPages.scope(request), pages.text(request).videos, VideoPath.list, request, context)
            }.forPrograms,
            Endpoint(.get, "\(VideoPath.members){name}/\(VideoPath.feedFile)", PublishedVideoPages.reading) {
                request, context in
                let profile = try await pages.community.profile(
                    of: try context.parameters.require("name"), for: context.caller)
                return try await answer(
                    .member(profile.id), profile.username, VideoPath.member(profile.username), request, context)
            }.forPrograms,
        ]
    }

    /// - Parameters:
    ///   - heading: the heading of the page with the same list.
    ///   - path: the path of that page.
    private func answer(
        _ scope: VideoQuery.Scope, _ heading: String, _ path: String, _ request: Request,
        _ context: GatewayRequestContext
    ) async throws -> Response {
        let page = SitePage(.videos, request, context)
        let words = try PageRequest(request).query
        let query = VideoQuery(scope, matching: words, visible: context.visibleTitles)
        let videos = try await pages.community.videos(query, limit: FeedDocument.maximumEntryCount).items
        let kept = VideoPath.query(scope, words)
        func url(_ path: String) -> String { pages.url(path, page) }
        let competition = videos.first?.competitionName
        let isOfCompetition = if case .competition = scope { true } else { false }
        let text = pages.text(request)
        let feed = FeedDocument(
            identifier: "urn:antena:\(Self.name(of: scope))\(words.map { ":\(SitePage.queryComponent($0))" } ?? "")",
            title: [Product.name, heading, isOfCompetition ? competition : nil, words].compactMap(\.self)
                .joined(separator: " · "),
            language: page.text.language, page: url(path + kept),
            address: url(VideoPath.feed(ofListAt: path) + kept),
            entries: videos.map { video in
                FeedDocument.Entry(
                    identifier: "urn:antena:video:\(video.id)", title: video.name, summary: video.text,
                    author: PublishedVideoPages.author(of: video, text), tags: video.tags,
                    address: url(VideoPath.video(video.id)),
                    publishedAt: video.publishedAt, changedAt: video.changedAt)
            })
        return Self.response(feed, isPersonal: context.principal.member != nil, request)
    }

    private static func name(of scope: VideoQuery.Scope) -> String {
        switch scope {
        case .all, .feed: "videos"
        case .competition(let id, let day): "competition:\(id)\(day.map { ":day:\($0)" } ?? "")"
        case .member(let id): "member:\(id.text)"
        }
    }

    /// Programs ask again and again, and usually get 304. One that does not know tags is answered by the time of the
    /// last change.
    private static func response(_ feed: FeedDocument, isPersonal: Bool, _ request: Request) -> Response {
        let (content, date) = (Array(feed.text.utf8), HTTPDate.header(feed.changedAt))
        let cacheControl = isPersonal ? "private, no-cache" : "no-cache"
        let tag = EntityTag(of: content)
        var response = Response.conditional(
            content, type: "\(FeedDocument.mediaType); charset=utf-8", tag: tag, cacheControl: cacheControl,
            for: request)
        if request.headers[.ifNoneMatch] == nil, request.headers[.ifModifiedSince] == date {
            response = Response(status: .notModified, headers: [.eTag: tag.field, .cacheControl: cacheControl])
        }
        response.headers[.lastModified] = date
        response.headers[.vary] = "Accept-Language, Cookie"
        return response
    }
}
