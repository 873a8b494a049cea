import APIContract
import APIDeclarations
import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Workflows

/// Titles that members publish, and likes: `/api/v1/videos`.
struct VideoEndpoints: Sendable {
    let context: CommunityContext
    /// `nil` for a server without a community.
    let uploads: MemberUploads

    private static let path = "/api/v1/videos"
    private static let reading = AccessRule.filters(
        reason: "what the sender may not watch is left out, and answers 404")
    private static let owners = AccessRule.credentialed(
        .manage, reason: "the owner, or somebody who manages titles")
    private static let taking = AccessRule.member(
        .comment, reason: "the handler asks whether the sender may comment")

    var endpoints: [Endpoint] {
        [
            Endpoint(CommunityAPI.listVideos, Self.reading, handler: list),
            Endpoint(
                CommunityAPI.publishVideo,
                .credentialed(
                    .permission([.upload, .manage]),
                    reason: "somebody who has sent the video, or manages titles; the handler asks"), handler: publish),
            Endpoint(CommunityAPI.getVideo, Self.reading) { _, caller in
                try await answer(try await context.video(caller), caller)
            },
            Endpoint(CommunityAPI.changeVideo, Self.owners, handler: change),
            Endpoint(CommunityAPI.deleteVideo, Self.owners) { _, caller in
                let video = try await context.video(caller)
                try await context.community.withdraw(
                    video.id, by: caller.caller, mayManage: VideoViewing.mayManage(caller))
                return Response(status: .noContent)
            },
            Endpoint(CommunityAPI.likeVideo, Self.taking) { _, caller in try await like(true, caller) },
            Endpoint(CommunityAPI.unlikeVideo, Self.taking) { _, caller in try await like(false, caller) },
            Endpoint(CommunityAPI.listVideoLikes, Self.reading) { request, caller in
                let (video, page) = (try await context.video(caller), try Self.page(request))
                let found = try await context.community.likers(
                    of: video.id, for: caller.caller, maySeeHidden: VideoViewing.isModerator(caller),
                    after: page.cursor, limit: page.limit)
                return APIPage(found.items.map(APIResources.member), next: found.next).response()
            },
            Endpoint(CommunityAPI.getFeed, .member(.read, reason: "the videos of members whom the caller follows")) {
                request, caller in
                let member = caller.principal.member?.id
                return try await list(request, caller, member.map { .feed(of: $0) } ?? .all)
            },
        ]
    }

    static func page(_ request: Request) throws -> PageRequest {
        try PageRequest(request)
    }

    private func list(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let day = try PageRequest.value(of: "day", in: request).map(Self.day)
        let competition = PageRequest.value(of: "competition", in: request)
        let owner = PageRequest.value(of: "owner", in: request)
        guard day == nil || competition != nil, competition == nil || owner == nil else {
            throw ProblemDetails(
                .unprocessableContent, "\"day\" needs \"competition\", and \"owner\" cannot be combined with it")
        }
        if let competition {
            guard let id = OpaqueID(parsing: competition) else {
                throw ProblemDetails(.notFound, "there is no such competition")
            }
            return try await list(request, caller, .competition(id, day: day))
        }
        guard let owner else { return try await list(request, caller, .all) }
        let profile = try await context.community.profile(of: owner, for: caller.caller)
        return try await list(request, caller, .member(profile.id))
    }

    private static func day(_ text: String) throws -> Int {
        guard let day = Int(digits: text[...]), (1...maximumDay).contains(day) else {
            throw ProblemDetails(.badRequest, "\"day\" must be a number from 1 to \(maximumDay)")
        }
        return day
    }

    private static let maximumDay = 366

    private func list(
        _ request: Request, _ caller: GatewayRequestContext, _ scope: VideoQuery.Scope
    ) async throws -> Response {
        let page = try Self.page(request)
        let order: VideoQuery.Order? = try PageRequest.choice("sort", in: request)
        var query = VideoQuery(
            scope, order: order ?? .newest, matching: page.query, visible: caller.visibleTitles,
            reader: caller.principal.member?.id)
        query.entersClosed = caller.may(.manage, .library)
        let found = try await context.community.videos(query, after: page.cursor, limit: page.limit)
        return APIPage(found.items.map { context.resource($0) }, next: found.next).response()
    }

    /// The owner and moderators also learn of reports.
    private func answer(
        _ video: Video, _ caller: GatewayRequestContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        var item: ModeratedItem?
        if VideoViewing.isOwn(video, caller) || VideoViewing.isModerator(caller) {
            item = try await context.community.moderation(of: .video, video.id)
        }
        return context.resource(video, item: item).response(status: status)
            .adding(.eTag, EntityTag(video.revision).field)
    }

    private func like(_ isLiked: Bool, _ caller: GatewayRequestContext) async throws -> Response {
        let video = try await context.commentable(caller)
        let liked = try await context.community.setLike(
            isLiked, of: video.id, by: caller.caller, maySeeHidden: VideoViewing.isModerator(caller))
        return context.resource(liked).response()
    }

    // MARK: Changes

    static func body<Fields: VideoContentsFields>(
        _ request: Request, _ fields: Fields.Type
    ) async throws -> BodyFields<Fields> {
        try await BodyFields(
            request, fields, maximumTextLength: VideoContents.maximumTextLength, maximumByteCount: 128 * 1_024)
    }

    private func publish(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await Self.body(request, NewVideoFields.self)
        let title = try body.required(\.title)
        try await requirePublishing(title, caller)
        var contents = VideoContents(name: try body.required(\.name))
        try Self.apply(body, to: &contents)
        let video = try await context.community.publish(contents, title: title, by: caller.caller)
        await uploads.makeRenditions(ofTitle: title, logger: caller.logger)
        return try await answer(video, caller, status: .created).adding(.location, "\(Self.path)/\(video.id)")
    }

    /// - Throws: `ProblemDetails` with 403 or 404 for somebody who may not publish a title.
    private func requirePublishing(_ title: String, _ caller: GatewayRequestContext) async throws {
        if try await context.community.isUpload(title: title, of: caller.caller) {
            return try MemberUploads.requireSending(caller)
        }
        let resource = caller.identity.audiences.title(id: title)
        guard caller.may(.manage, resource) else {
            guard caller.may(.read, resource) else { throw ProblemDetails(.notFound, "there is no such title") }
            throw ProblemDetails(.forbidden, "your account may not publish this title")
        }
    }

    /// The body is a JSON merge patch (RFC 7396).
    private func change(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await Self.body(request, VideoChangeFields.self)
        // What is not there answers 404, with If-Match and without.
        let video = try await context.video(caller)
        let revisions = try IfMatch.required(in: request).revisions
        let title = try body.text(\.title)
        if let title, title != video.title { try await requirePublishing(title, caller) }
        var contents = VideoContents(video)
        try Self.apply(body, to: &contents)
        let changed = try await context.community.change(
            video.id, title: title, from: revisions.map { $0.intersection([video.revision]) } ?? [video.revision],
            by: caller.caller, mayManage: VideoViewing.mayManage(caller)
        ) { [contents] in $0 = contents }
        if let title, title != video.title { await uploads.makeRenditions(ofTitle: title, logger: caller.logger) }
        return try await answer(changed, caller)
    }

    /// - Throws: `Refusal`
    static func apply(_ body: BodyFields<some VideoContentsFields>, to contents: inout VideoContents) throws {
        if let name = try body.text(\.name) { contents.name = name }
        if body.has(\.text) { contents.text = try body.text(\.text) ?? "" }
        if body.has(\.tags) { contents.tags = try body.texts(\.tags) ?? [] }
        if body.has(\.competition) {
            contents.competition = try body.text(\.competition).map { text in
                guard let id = OpaqueID(parsing: text) else {
                    throw Refusal(.notFound, "there is no such competition", field: "competition")
                }
                return id
            }
            if contents.competition == nil { contents.day = nil }
        }
        if body.has(\.day) { contents.day = try body.integer(\.day) }
        if body.has(\.latitude) || body.has(\.longitude) { contents.place = try place(body) }
        if let visibility = try body.value(\.visibility, VideoVisibility.self) { contents.visibility = visibility }
        if let policy = try body.value(\.commentPolicy, CommentPolicy.self) { contents.commentPolicy = policy }
    }

    private static func place(_ body: BodyFields<some VideoContentsFields>) throws -> GeographicPoint? {
        let (latitude, longitude) = (try body.number(\.latitude), try body.number(\.longitude))
        guard let latitude, let longitude else {
            guard latitude == nil, longitude == nil else {
                throw Refusal(.invalidField, "a place has a latitude and a longitude", field: "latitude")
            }
            return nil
        }
        guard let place = GeographicPoint(latitude: latitude, longitude: longitude) else {
            throw Refusal(
                .invalidField, "latitudes are -90 to 90, and longitudes -180 to 180", field: "latitude")
        }
        return place
    }
}
