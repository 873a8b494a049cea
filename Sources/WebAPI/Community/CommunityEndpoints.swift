import Accounts
import Community
package import HTTPEndpoints
package import Workflows

/// All endpoints of the community.
package struct CommunityEndpoints: Sendable {
    let context: CommunityContext
    private let library: any LibraryOperations
    private let uploads: MemberUploads

    /// - Parameters:
    ///   - viewing: published videos: who may watch which, and how moderators decide.
    ///   - uploads: what members send.
    ///   - library: decodes images and receives files.
    ///   - publicAddress: the address at which visitors reach the site; `nil` if the operator has not named it.
    ///   - mailer: tells people that their accounts are suspended; `nil` if the server sends no mail.
    package init(
        viewing: VideoViewing, uploads: MemberUploads, library: any LibraryOperations, publicAddress: PublicAddress?,
        mailer: (any AccountMailer)?
    ) {
        (self.uploads, self.library) = (uploads, library)
        context = CommunityContext(viewing: viewing, publicAddress: publicAddress, mailer: mailer)
    }

    package var endpoints: [Endpoint] {
        let images = CompetitionImageUpload(library: library)
        let competitions =
            CompetitionEndpoints(context: context).endpoints
            + CompetitionImageEndpoints(context: context, images: images).endpoints
            + CompetitionMapEndpoints(context: context, maps: CompetitionMapUpload(library: library)).endpoints
            + StandingsEndpoints(context: context).endpoints + CompetitionFollowEndpoints(context: context).endpoints
            + CalendarEndpoints(context: context, publicAddress: context.publicAddress).endpoints
        let videos =
            VideoEndpoints(context: context, uploads: uploads).endpoints + CommentEndpoints(context: context).endpoints
            + MemberEndpoints(context: context).endpoints + ProfileEndpoints(context: context).endpoints
            + ReportEndpoints(context: context).endpoints
        let target = MemberUploadTarget(uploads: uploads)
        return competitions + videos + UploadEndpoints(library: library, target: target).endpoints
            + MemberUploadEndpoints(context: context, target: target).endpoints
    }
}
