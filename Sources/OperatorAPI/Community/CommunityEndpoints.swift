import Community
import HTTPEndpoints

/// All endpoints of the community.
struct CommunityEndpoints: Sendable {
    let endpoints: [Endpoint]

    /// - Parameter community: `nil` for a server without one.
    init(community: Community?) {
        _ = CommunityContext(community: community)
        endpoints = []
    }
}
