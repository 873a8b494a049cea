import APIContract
import APIDeclarations
import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Workflows

/// Members' comments on videos: `/api/v1/videos/{id}/comments` and `/api/v1/comments/{id}`.
struct CommentEndpoints: Sendable {
    let context: CommunityContext

    private static let reading = AccessRule.filters(reason: "what the sender may not see is left out, and answers 404")
    private static let taking = AccessRule.member(
        .comment, reason: "the handler asks whether the sender may comment")
    private static let keepers = AccessRule.credentialed(
        .permission([.comment, .moderate]),
        reason: "the author, the owner of the video, or a moderator; the community asks")

    var endpoints: [Endpoint] {
        [
            Endpoint(CommunityAPI.listComments, Self.reading, handler: comments),
            Endpoint(CommunityAPI.addComment, Self.taking, handler: write),
            Endpoint(CommunityAPI.listReplies, Self.reading, handler: replies),
            Endpoint(CommunityAPI.changeComment, Self.taking) { request, caller in
                let body = try await Self.body(request, CommentChangeFields.self)
                try CommunityContext.requireTakingPart(caller)
                let comment = try await context.community.edit(
                    try caller.parameters.identifier(of: "comment"), try body.required(\.text), by: caller.caller,
                    isModerator: VideoViewing.isModerator(caller))
                return APIResources.comment(comment).response()
            },
            Endpoint(CommunityAPI.deleteComment, Self.keepers) { _, caller in
                try Self.requireKeeping(caller)
                try await context.community.deleteComment(
                    try caller.parameters.identifier(of: "comment"), by: caller.caller,
                    isModerator: VideoViewing.isModerator(caller))
                return Response(status: .noContent)
            },
            Endpoint(CommunityAPI.approveComment, Self.keepers) { _, caller in
                try Self.requireKeeping(caller)
                let comment = try await context.community.approveComment(
                    try caller.parameters.identifier(of: "comment"), by: caller.caller,
                    isModerator: VideoViewing.isModerator(caller))
                return APIResources.comment(comment).response()
            },
        ]
    }

    /// - Throws: `ProblemDetails` with 401 or 403 for a token for something else.
    private static func requireKeeping(_ caller: GatewayRequestContext) throws {
        if !VideoViewing.isModerator(caller) { try CommunityContext.requireTakingPart(caller) }
    }

    private static func body<Fields: ObjectFields>(
        _ request: Request, _ fields: Fields.Type
    ) async throws -> BodyFields<Fields> {
        try await BodyFields(
            request, fields, maximumTextLength: VideoComment.maximumScalarCount, maximumByteCount: 128 * 1_024)
    }

    private func comments(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let (video, page) = (try await context.video(caller), try VideoEndpoints.page(request))
        let found = try await context.community.comments(
            on: video.id, for: caller.caller, isModerator: VideoViewing.isModerator(caller), after: page.cursor,
            limit: page.limit)
        let replies = Dictionary(grouping: found.replies) { $0.parent }
        let items = found.page.items.map { APIResources.comment($0, replies: replies[$0.id] ?? []) }
        return APIPage(items, next: found.page.next).response()
    }

    private func write(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await Self.body(request, NewCommentFields.self)
        let video = try await context.commentable(caller)
        let parent = try body.text(\.parent).map { text in
            guard let id = OpaqueID(parsing: text) else {
                throw Refusal(.notFound, "there is no such comment", field: "parent")
            }
            return id
        }
        let comment = try await context.community.comment(
            try body.required(\.text), parent: parent, on: video.id, by: caller.caller,
            isModerator: VideoViewing.isModerator(caller))
        return APIResources.comment(comment).response(status: .created)
    }

    private func replies(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let (id, page) = (try caller.parameters.identifier(of: "comment"), try VideoEndpoints.page(request))
        let community = context.community
        // Clients that may not watch the video may not read about it.
        _ = try await context.viewing.video(try await community.video(ofComment: id), caller)
        let found = try await community.replies(
            to: id, for: caller.caller, isModerator: VideoViewing.isModerator(caller), after: page.cursor,
            limit: page.limit)
        return APIPage(found.items.map { APIResources.comment($0) }, next: found.next).response()
    }
}
