import APIContract
import APIDeclarations
import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore

/// Members follow competitions: `/api/v1/competitions/{id}/follow` and `/api/v1/me/competitions`.
struct CompetitionFollowEndpoints: Sendable {
    let context: CommunityContext

    private static let reason = "what the caller follows"
    private static let following = AccessRule.member(.comment, reason: reason)

    var endpoints: [Endpoint] {
        [
            Endpoint(CompetitionAPI.followCompetition, Self.following) { _, caller in
                try await context.community.follow(try CompetitionEndpoints.identifier(caller), by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(CompetitionAPI.unfollowCompetition, Self.following) { _, caller in
                try await context.community.unfollow(try CompetitionEndpoints.identifier(caller), by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(CompetitionAPI.listFollowedCompetitions, .member(.read, reason: Self.reason)) { request, caller in
                let community = context.community
                let member = try Community.member(caller.caller)
                let wanted = try PageRequest(request)
                let found = try await community.followedCompetitions(
                    of: member.id, after: wanted.cursor, limit: wanted.limit)
                let now = community.now
                return APIPage(
                    found.items.map { APIResources.followedCompetition($0, at: now) }, next: found.next
                ).response()
            },
        ]
    }
}
