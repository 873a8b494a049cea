import Accounts
import Community
import HTTPEndpoints
import MediaAccess
import MediaCore
import VideoClub

/// All endpoints of the community.
struct CommunityEndpoints: Sendable {
    let endpoints: [Endpoint]

    /// - Parameters:
    ///   - community: `nil` for a server without one.
    ///   - content: decodes images, and deletes the titles of videos that moderators delete for good.
    ///   - links: signs the addresses of unlisted videos; `nil` for a server without any.
    ///   - club: knows which titles have to be rented; `nil` if nothing is.
    ///   - accounts: suspends accounts; `nil` for a server without any.
    ///   - mailer: tells people that their accounts are suspended; `nil` if the server sends no mail.
    ///   - publicAddress: the address at which visitors reach the site; `nil` if the operator has not named it.
    ///   - audiences: decides who may watch a title; `nil` for a server on which everybody may.
    ///   - presets: the presets of the server.
    init(
        community: Community?, content: any ContentSource, links: MediaLinks?, club: VideoClub?,
        accounts: Accounts?, mailer: (any AccountMailer)?, publicAddress: PublicAddress?, audiences: TitleAudiences?,
        presets: @escaping @Sendable () -> [QualityPreset]
    ) {
        let viewing = community.map {
            VideoViewing($0, library: content.library, links: links, club: club, accounts: accounts)
        }
        let context = CommunityContext(viewing: viewing, publicAddress: publicAddress, mailer: mailer)
        let images = CompetitionImageUpload(library: content.library)
        let competitions =
            CompetitionEndpoints(context: context).endpoints
            + CompetitionImageEndpoints(context: context, images: images).endpoints
            + CompetitionMapEndpoints(context: context, maps: CompetitionMapUpload(library: content.library)).endpoints
            + StandingsEndpoints(context: context).endpoints + CompetitionFollowEndpoints(context: context).endpoints
            + CalendarEndpoints(context: context, publicAddress: publicAddress).endpoints
        let sent = community.map {
            MemberUploads($0, library: content.library, audiences: audiences, presets: presets)
        }
        let videos =
            VideoEndpoints(context: context, uploads: sent).endpoints + CommentEndpoints(context: context).endpoints
            + MemberEndpoints(context: context).endpoints + ProfileEndpoints(context: context).endpoints
            + ReportEndpoints(context: context).endpoints
        let target = MemberUploadTarget(uploads: sent)
        let uploads =
            UploadEndpoints(library: content.library, target: target).endpoints
            + MemberUploadEndpoints(context: context, target: target).endpoints
        endpoints = competitions + videos + uploads
    }
}
