import APIContract
import APIDeclarations
import Accounts
import Community
import Forum
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Workflows

extension ForumEndpoints {
    /// `/api/v1/topics/{id}/comments` and `/api/v1/topics/comments/{id}`.
    var comments: [Endpoint] {
        [
            Endpoint(ForumAPI.listTopicComments, Self.reading, handler: list),
            Endpoint(ForumAPI.addTopicComment, Self.taking, handler: write),
            Endpoint(ForumAPI.getTopicComment, Self.reading) { _, caller in
                APIResources.topicComment(try await comment(caller)).response()
            },
            Endpoint(ForumAPI.changeTopicComment, Self.taking) { request, caller in
                let body = try await Self.body(request, TopicCommentChangeFields.self)
                try TopicViewing.requireTakingPart(caller)
                let changed = try await forum.edit(
                    try await comment(caller).id, try body.text(\.text) ?? "", by: caller.caller,
                    isModerator: TopicViewing.isModerator(caller))
                return APIResources.topicComment(changed).response()
            },
            Endpoint(ForumAPI.deleteTopicComment, Self.keepers) { _, caller in
                try Self.requireKeeping(caller)
                try await forum.deleteComment(
                    try await comment(caller).id, by: caller.caller, isModerator: TopicViewing.isModerator(caller))
                return Response(status: .noContent)
            },
        ] + reports
    }

    private func comment(_ caller: GatewayRequestContext) async throws -> ForumComment {
        try await viewing.comment(try caller.parameters.identifier(of: "comment"), caller).comment
    }

    private func list(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let page = try PageRequest(request)
        let number = try PageRequest.number("page", in: request, 1...1_000_000_000) ?? 1
        let topic = try await viewing.topic(try caller.parameters.identifier(of: "topic"), caller)
        let found = try await forum.comments(
            of: topic.id, after: Int64(number - 1) * Int64(page.limit), cursor: page.cursor, for: caller.caller,
            isModerator: TopicViewing.isModerator(caller), limit: page.limit)
        return APIPage(found.page.items.map(APIResources.topicComment), next: found.page.next).response()
    }

    private func write(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await Self.body(request, NewTopicCommentFields.self)
        try TopicViewing.requireTakingPart(caller)
        let topic = try await viewing.topic(try caller.parameters.identifier(of: "topic"), caller)
        try await acceptRules(try body.flag(\.acceptsRules), caller)
        let comment = try await forum.comment(
            try body.text(\.text) ?? "", in: topic.id, notifies: try body.flag(\.notifies) ?? true,
            by: caller.caller, isModerator: TopicViewing.isModerator(caller))
        return APIResources.topicComment(comment).response(status: .created)
    }

    // MARK: Reports

    private var reports: [Endpoint] {
        let community = viewing.community
        return [
            Endpoint(ForumAPI.reportTopicComment, Self.taking) { request, caller in
                let body = try await BodyFields(request, ReportFields.self)
                try TopicViewing.requireTakingPart(caller)
                let id = try await comment(caller).id
                guard let reason = try body.value(\.reason, ReportReason.self) else {
                    throw Refusal.missing(["reason"])
                }
                try await community.report(
                    .topicComment, id, reason, text: try body.text(\.text) ?? "", by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(ForumAPI.withdrawTopicCommentReport, Self.taking) { _, caller in
                try TopicViewing.requireTakingPart(caller)
                try await community.withdrawReport(
                    .topicComment, try caller.parameters.identifier(of: "comment"), by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(ForumAPI.appealTopicComment, Self.taking) { request, caller in
                let body = try await BodyFields(request, AppealFields.self)
                try TopicViewing.requireTakingPart(caller)
                try await community.appeal(
                    .topicComment, try caller.parameters.identifier(of: "comment"), try body.required(\.text),
                    by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }
}
