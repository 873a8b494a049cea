import APIContract
import APIDeclarations
import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Workflows

/// Members' own profiles and activities, and the search for members: `/api/v1/me/profile`, `/api/v1/me/activities` and
/// `/api/v1/members`.
struct ProfileEndpoints: Sendable {
    let context: CommunityContext

    private static let reason = "the caller's own profile, and what is about the caller"
    private static let own = AccessRule.member(.read, reason: reason)
    private static let reading = AccessRule.filters(reason: "profiles that are for members are left out for strangers")

    var endpoints: [Endpoint] {
        [
            Endpoint(CommunityAPI.getOwnProfile, Self.own) { _, caller in
                APIResources.ownProfile(try await context.community.ownProfile(of: caller.caller)).response()
            },
            Endpoint(CommunityAPI.changeOwnProfile, .member(.manage, reason: Self.reason), handler: change),
            Endpoint(CommunityAPI.listActivities, Self.own) { request, caller in
                let page = try VideoEndpoints.page(request)
                let list: ActivityList? = try PageRequest.choice("list", in: request)
                let found = try await context.community.activities(
                    list ?? .news, of: caller.caller, visible: caller.visibleTitles, after: page.cursor,
                    limit: page.limit)
                return APIPage(found.items.map(APIResources.activity), next: found.next).response()
            },
            Endpoint(CommunityAPI.listMembers, Self.reading) { request, caller in
                let page = try VideoEndpoints.page(request)
                let found = try await context.community.findMembers(
                    page.query ?? "", for: caller.caller, after: page.cursor, limit: page.limit)
                return APIPage(found.items.map(APIResources.member), next: found.next).response()
            },
        ]
    }

    /// The body is a JSON merge patch (RFC 7396).
    private func change(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(
            request, OwnProfileChangeFields.self, maximumTextLength: OwnProfile.maximumAboutLength)
        let about = body.has(\.about) ? try body.text(\.about) ?? "" : nil
        let visibility = try body.value(\.visibility, OwnProfile.Visibility.self)
        let showsFollows = try body.flag(\.showsFollows)
        let showsLikes = try body.flag(\.showsLikes)
        let profile = try await context.community.changeProfile(by: caller.caller) { profile in
            if let about { profile.about = about }
            if let visibility { profile.visibility = visibility }
            if let showsFollows { profile.showsFollows = showsFollows }
            if let showsLikes { profile.showsLikes = showsLikes }
        }
        return APIResources.ownProfile(profile).response()
    }
}
