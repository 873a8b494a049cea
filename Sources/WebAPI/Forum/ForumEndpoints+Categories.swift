import APIContract
import APIDeclarations
import Accounts
import Forum
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Workflows

extension ForumEndpoints {
    /// `/api/v1/topics/categories`.
    var categories: [Endpoint] {
        [
            Endpoint(ForumAPI.listTopicCategories, Self.reading) { _, _ in
                APIPage(try await forum.categories().map { APIResources.topicCategory($0, name: $0.name) }).response()
            },
            Endpoint(ForumAPI.createTopicCategory, Self.managing) { request, _ in
                let body = try await BodyFields(request, TopicCategoryChangeFields.self)
                let category = try await forum.createCategory(try Self.change(body))
                return APIResources.topicCategory(category, name: category.name).response(status: .created)
            },
            Endpoint(ForumAPI.changeTopicCategory, Self.managing) { request, caller in
                let id = try caller.parameters.identifier(of: "category")
                let body = try await BodyFields(request, TopicCategoryChangeFields.self)
                let category = try await forum.changeCategory(id, try Self.change(body))
                return APIResources.topicCategory(category, name: category.name).response()
            },
            Endpoint(ForumAPI.deleteTopicCategory, Self.managing) { _, caller in
                try await forum.deleteCategory(try caller.parameters.identifier(of: "category"))
                return Response(status: .noContent)
            },
        ]
    }

    private static func change(_ body: BodyFields<TopicCategoryChangeFields>) throws -> ForumCategoryChange {
        var change = ForumCategoryChange()
        (change.name, change.text) = (try body.text(\.name), try body.text(\.text))
        change.place = try body.integer(\.place).map(Int64.init)
        return change
    }

    /// The parts of the forum that members follow.
    var follows: [Endpoint] {
        [
            Endpoint(ForumAPI.listTopicFollows, .member(.read, reason: "what the caller follows")) { _, caller in
                guard let member = caller.principal.member else { throw ProblemDetails(.unauthorized) }
                return APIPage(try await forum.follows(of: member.id).map(APIResources.topicFollow)).response()
            },
            Endpoint(ForumAPI.followTopics, Self.taking) { request, caller in
                try await follow(.all, request, caller)
            },
            Endpoint(ForumAPI.followTopicCategory, Self.taking) { request, caller in
                let category = try await forum.category(try caller.parameters.identifier(of: "category"))
                try viewing.require(category, caller)
                return try await follow(.category(category.id), request, caller)
            },
            Endpoint(ForumAPI.followTopic, Self.taking) { request, caller in
                let topic = try await viewing.topic(try caller.parameters.identifier(of: "topic"), caller)
                return try await follow(.topic(topic.id), request, caller)
            },
        ]
    }

    private enum FollowState: String, CaseIterable {
        case following, silent, usual

        var isOn: Bool? {
            switch self {
            case .following: true
            case .silent: false
            case .usual: nil
            }
        }
    }

    private func follow(
        _ subject: ForumFollow.Subject, _ request: Request, _ caller: GatewayRequestContext
    ) async throws -> Response {
        let body = try await BodyFields(request, TopicFollowChangeFields.self)
        try TopicViewing.requireTakingPart(caller)
        guard let state = try body.value(\.state, FollowState.self) else { throw Refusal.missing(["state"]) }
        try await forum.setFollow(
            state.isOn, subject, by: caller.caller, isModerator: TopicViewing.isModerator(caller))
        return Response(status: .noContent)
    }
}
