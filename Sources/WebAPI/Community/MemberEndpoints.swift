import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Workflows

/// Members' public profiles, and their follows: `/api/v1/users/{name}/profile` and `/follow`.
struct MemberEndpoints: Sendable {
    let context: CommunityContext

    private static let path = "/api/v1/users/{name}"
    private static let reading = AccessRule.filters(reason: "a profile holds what everybody may know")
    private static let taking = AccessRule.member(
        .comment, reason: "the handler asks whether the sender may comment")

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "\(Self.path)/profile", Self.reading) { _, caller in
                let profile = try await context.community.profile(
                    of: try Self.name(caller), for: caller.caller, maySeeHidden: VideoViewing.isModerator(caller))
                return APIResources.profile(profile).response()
            },
            Endpoint(.put, "\(Self.path)/follow", Self.taking) { _, caller in try await follow(true, caller) },
            Endpoint(.delete, "\(Self.path)/follow", Self.taking) { _, caller in try await follow(false, caller) },
            Endpoint(.get, "\(Self.path)/followers", Self.reading) { request, caller in
                try await members(.followers, request, caller)
            },
            Endpoint(.get, "\(Self.path)/followings", Self.reading) { request, caller in
                try await members(.followings, request, caller)
            },
        ] + BarrierKind.allCases.flatMap(barriers)
    }

    /// `/api/v1/users/{name}/block`, `/mute`, `/api/v1/me/blocks` and `/mutes`
    private func barriers(_ kind: BarrierKind) -> [Endpoint] {
        @Sendable func set(_ isOn: Bool, _ caller: GatewayRequestContext) async throws -> Response {
            try CommunityContext.requireTakingPart(caller)
            let profile = try await context.community.setBarrier(
                kind, isOn, try Self.name(caller), by: caller.caller)
            return APIResources.profile(profile).response()
        }
        return [
            Endpoint(.put, "\(Self.path)/\(kind.rawValue)", Self.taking) { _, caller in try await set(true, caller) },
            Endpoint(.delete, "\(Self.path)/\(kind.rawValue)", Self.taking) { _, caller in
                try await set(false, caller)
            },
            Endpoint(.get, "/api/v1/me/\(kind.rawValue)s", .member(.read, reason: "whom the caller keeps away")) {
                request, caller in
                let page = try VideoEndpoints.page(request)
                let found = try await context.community.barriers(
                    kind, of: caller.caller, after: page.cursor, limit: page.limit)
                return APIResources.page(found.items.map(APIResources.member), next: found.next).response()
            },
        ]
    }

    private static func name(_ caller: GatewayRequestContext) throws -> String { try caller.parameters.require("name") }

    private func follow(_ isFollowed: Bool, _ caller: GatewayRequestContext) async throws -> Response {
        try CommunityContext.requireTakingPart(caller)
        let profile = try await context.community.setFollow(isFollowed, try Self.name(caller), by: caller.caller)
        return APIResources.profile(profile).response()
    }

    private func members(
        _ side: Community.FollowSide, _ request: Request, _ caller: GatewayRequestContext
    ) async throws -> Response {
        let page = try VideoEndpoints.page(request)
        let found = try await context.community.members(
            side, of: try Self.name(caller), for: caller.caller, after: page.cursor, limit: page.limit)
        return APIResources.page(found.items.map(APIResources.member), next: found.next).response()
    }
}
