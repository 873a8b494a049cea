import Community
import HTTPEndpoints
import MediaAccess
import VideoClub

/// All endpoints of the community.
struct CommunityEndpoints: Sendable {
    let endpoints: [Endpoint]

    /// - Parameters:
    ///   - community: `nil` for a server without one.
    ///   - content: deletes the titles of videos that moderators delete for good.
    ///   - links: signs the addresses of unlisted videos; `nil` for a server without any.
    ///   - club: knows which titles have to be rented; `nil` if nothing is.
    ///   - publicAddress: the address of the server; `nil` if it is not known.
    init(
        community: Community?, content: any ContentSource, links: MediaLinks?, club: VideoClub?,
        publicAddress: PublicAddress?
    ) {
        let context = CommunityContext(community: community, links: links, club: club, publicAddress: publicAddress)
        endpoints =
            VideoEndpoints(context: context).endpoints + CommentEndpoints(context: context).endpoints
            + MemberEndpoints(context: context).endpoints
            + ReportEndpoints(context: context, content: content).endpoints
    }
}
