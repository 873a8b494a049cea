import APIContract
import APIDeclarations
import Accounts
import Forum
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
package import Workflows

/// The forum: `/api/v1/topics`.
package struct ForumEndpoints: Sendable {
    let viewing: TopicViewing

    /// - Parameter viewing: the topics, and who may read them.
    package init(viewing: TopicViewing) { self.viewing = viewing }

    static let reading = AccessRule.filters(reason: "what the sender may not see is left out, and answers 404")
    static let taking = AccessRule.member(.comment, reason: "the handler asks whether the sender may comment")
    static let keepers = AccessRule.credentialed(
        .permission([.comment, .moderate]), reason: "the author or a moderator; the forum asks")
    static let managing = AccessRule.needs(.manage, .system)

    package var endpoints: [Endpoint] { topics + comments + categories + follows + rules }

    var forum: Forum { viewing.forum }

    /// - Throws: `ProblemDetails` with 401 or 403 for a token for something else.
    static func requireKeeping(_ caller: GatewayRequestContext) throws {
        if !TopicViewing.isModerator(caller) { try TopicViewing.requireTakingPart(caller) }
    }

    /// Limit of the body of a comment: 1 MB of text, with its marks escaped.
    private static let maximumByteCount = 4_000_000

    static func body<Fields: ObjectFields>(_ request: Request, _ fields: Fields.Type) async throws -> BodyFields<Fields>
    {
        try await BodyFields(
            request, fields, maximumTextLength: ForumComment.maximumByteCount, maximumByteCount: maximumByteCount)
    }

    /// Accepts the rules for a member who says so with what they write.
    func acceptRules(_ accepts: Bool?, _ caller: GatewayRequestContext) async throws {
        if accepts == true { try await forum.acceptRules(by: caller.caller) }
    }

    // MARK: Topics

    private var topics: [Endpoint] {
        [
            Endpoint(ForumAPI.listTopics, Self.reading, handler: list),
            Endpoint(ForumAPI.createTopic, Self.taking, handler: create),
            Endpoint(ForumAPI.searchTopics, Self.reading, handler: search),
            Endpoint(ForumAPI.getTopic, Self.reading) { _, caller in
                try await answer(try await viewing.topic(try caller.parameters.identifier(of: "topic"), caller))
            },
            Endpoint(ForumAPI.changeTopic, Self.keepers, handler: change),
            Endpoint(ForumAPI.deleteTopic, Self.keepers) { _, caller in
                try Self.requireKeeping(caller)
                let topic = try await viewing.topic(try caller.parameters.identifier(of: "topic"), caller)
                try await forum.deleteTopic(
                    topic.id, by: caller.caller, isModerator: TopicViewing.isModerator(caller))
                return Response(status: .noContent)
            },
        ]
    }

    private func resource(_ topic: ForumTopic) async throws -> APIObject<TopicFields> {
        APIResources.topic(topic, category: try await viewing.name(of: topic.category))
    }

    private func answer(_ topic: ForumTopic, status: HTTPResponse.Status = .ok) async throws -> Response {
        try await resource(topic).response(status: status)
    }

    /// The end of a list at which its first page is.
    private enum ListEnd: String, CaseIterable { case start, end }

    private func list(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let page = try PageRequest(request, defaultLimit: ForumTopic.pageSize)
        let wanted = ["category", "channel", "titleID"].map { PageRequest.value(of: $0, in: request) }
        let category = try await viewing.category(
            id: wanted[0], channel: wanted[1], title: wanted[2], creates: false, caller)
        guard category != nil || wanted.allSatisfy({ $0 == nil }) else {
            return APIPage<TopicFields>([]).response()
        }
        let end: ListEnd? = try PageRequest.choice("from", in: request)
        let fromEnd = end == .end
        let found = try await forum.topics(
            in: category?.id, after: page.cursor, fromEnd: fromEnd, limit: page.limit)
        var items: [APIObject<TopicFields>] = []
        for topic in fromEnd ? found.items.reversed() : found.items { items.append(try await resource(topic)) }
        return APIPage(items, next: fromEnd ? found.previous : found.next).response()
    }

    private func create(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await Self.body(request, NewTopicFields.self)
        try TopicViewing.requireTakingPart(caller)
        let category = try await viewing.category(
            id: try body.text(\.category), channel: try body.text(\.channel), title: try body.text(\.titleID),
            creates: true, caller)
        guard let category else { throw Refusal.missing(["category"]) }
        try await acceptRules(try body.flag(\.acceptsRules), caller)
        let topic = try await forum.begin(
            try body.text(\.title) ?? "", text: try body.text(\.text) ?? "", in: category.id,
            notifies: try body.flag(\.notifies) ?? true, by: caller.caller,
            isModerator: TopicViewing.isModerator(caller))
        return try await answer(topic, status: .created)
    }

    private func change(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, TopicChangeFields.self)
        try Self.requireKeeping(caller)
        let topic = try await viewing.topic(try caller.parameters.identifier(of: "topic"), caller)
        var change = ForumTopicChange()
        (change.title, change.isLocked) = (try body.text(\.title), try body.flag(\.locked))
        change.isPinned = try body.flag(\.pinned)
        change.category = try body.text(\.category).map { text in
            guard let id = OpaqueID(parsing: text) else {
                throw Refusal(.notFound, "there is no such category", field: "category")
            }
            return id
        }
        let changed = try await forum.change(
            topic.id, change, by: caller.caller, isModerator: TopicViewing.isModerator(caller))
        return try await answer(changed)
    }

    private func search(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let page = try PageRequest(request)
        let category = try await viewing.category(
            id: PageRequest.value(of: "category", in: request), channel: nil, title: nil, creates: false, caller)
        let found = try await forum.search(
            page.query ?? "", in: category?.id, for: caller.caller, after: page.cursor, limit: page.limit)
        return APIPage(found.items.map(APIResources.topicComment), next: found.next).response()
    }
}
