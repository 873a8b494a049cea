import APIContract
import APIDeclarations
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

    private static let reading = AccessRule.filters(reason: "a profile holds what everybody may know")
    private static let taking = AccessRule.member(
        .comment, reason: "the handler asks whether the sender may comment")

    var endpoints: [Endpoint] {
        [
            Endpoint(CommunityAPI.getProfile, Self.reading) { _, caller in
                let profile = try await context.community.profile(
                    of: try Self.name(caller), for: caller.caller, maySeeHidden: VideoViewing.isModerator(caller))
                return APIResources.profile(profile).response()
            },
            Endpoint(CommunityAPI.followMember, Self.taking) { _, caller in try await follow(true, caller) },
            Endpoint(CommunityAPI.unfollowMember, Self.taking) { _, caller in try await follow(false, caller) },
            Endpoint(CommunityAPI.listFollowers, Self.reading) { request, caller in
                try await members(.followers, request, caller)
            },
            Endpoint(CommunityAPI.listFollowings, Self.reading) { request, caller in
                try await members(.followings, request, caller)
            },
        ]
            + barriers(
                .block, set: CommunityAPI.blockMember, clear: CommunityAPI.unblockMember, list: CommunityAPI.listBlocks)
            + barriers(
                .mute, set: CommunityAPI.muteMember, clear: CommunityAPI.unmuteMember, list: CommunityAPI.listMutes)
    }

    /// `/api/v1/users/{name}/block`, `/mute`, `/api/v1/me/blocks` and `/mutes`
    private func barriers(
        _ kind: BarrierKind, set setting: any DeclaredOperation, clear: any DeclaredOperation,
        list: any DeclaredOperation
    ) -> [Endpoint] {
        @Sendable func set(_ isOn: Bool, _ caller: GatewayRequestContext) async throws -> Response {
            try CommunityContext.requireTakingPart(caller)
            let profile = try await context.community.setBarrier(
                kind, isOn, try Self.name(caller), by: caller.caller)
            return APIResources.profile(profile).response()
        }
        return [
            Endpoint(setting, Self.taking) { _, caller in try await set(true, caller) },
            Endpoint(clear, Self.taking) { _, caller in
                try await set(false, caller)
            },
            Endpoint(list, .member(.read, reason: "whom the caller keeps away")) {
                request, caller in
                let page = try VideoEndpoints.page(request)
                let found = try await context.community.barriers(
                    kind, of: caller.caller, after: page.cursor, limit: page.limit)
                return APIPage(found.items.map(APIResources.member), next: found.next).response()
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
        return APIPage(found.items.map(APIResources.member), next: found.next).response()
    }
}
