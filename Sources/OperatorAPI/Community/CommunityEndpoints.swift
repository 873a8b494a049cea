import Community
import HTTPEndpoints

/// All endpoints of the community.
struct CommunityEndpoints: Sendable {
    let endpoints: [Endpoint]

    /// - Parameters:
    ///   - community: `nil` for a server without one.
    ///   - library: decodes images, in worker processes.
    ///   - publicAddress: the address at which visitors reach the site; `nil` if the operator has not named it.
    init(community: Community?, library: any LibraryOperations, publicAddress: PublicAddress?) {
        let context = CommunityContext(community: community)
        endpoints =
            CompetitionEndpoints(context: context).endpoints
            + CompetitionImageEndpoints(context: context, images: CompetitionImageUpload(library: library)).endpoints
            + StandingsEndpoints(context: context).endpoints
            + CompetitionFollowEndpoints(context: context).endpoints
            + CalendarEndpoints(context: context, publicAddress: publicAddress).endpoints
    }
}
