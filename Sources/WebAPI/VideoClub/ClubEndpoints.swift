package import Accounts
package import HTTPEndpoints
package import MediaAccess
package import VideoClub
package import Webhooks
package import Workflows

/// All endpoints of the video club.
package struct ClubEndpoints: Sendable {
    private let context: ClubContext
    var club: VideoClub { context.club }
    private let content: any ContentSource
    private let files: FileEndpoints

    /// Offline copies of rented titles; `nil` for a server that makes none.
    package var copies: OfflineCopies?
    /// Checks the signatures of payments; `nil` if nobody can pay for credits.
    package var payments: WebhookVerification?

    /// - Parameters:
    ///   - club: the video club.
    ///   - accounts: the accounts of its members.
    ///   - links: signs the addresses of rented titles; `nil` for a server that signs none.
    ///   - publicAddress: the address at which visitors reach the site; `nil` if the operator has not named it.
    ///   - content: the library: trailers, and the details of titles, which devices keep.
    ///   - files: sends posters.
    package init(
        club: VideoClub, accounts: Accounts, links: MediaLinks?, publicAddress: PublicAddress?,
        content: any ContentSource, files: FileEndpoints
    ) {
        (self.content, self.files) = (content, files)
        context = ClubContext(club: club, links: links, publicAddress: publicAddress, accounts: accounts)
    }

    package var endpoints: [Endpoint] {
        TermsEndpoints(context: context, content: content).endpoints + RentalEndpoints(context: context).endpoints
            + CreditEndpoints(context: context).endpoints + ClubDeviceEndpoints(context: context).endpoints
            + [PaymentEndpoint(context: context, verification: payments).endpoint]
            + copyEndpoints
    }

    private var copyEndpoints: [Endpoint] {
        guard let copies, let links = context.links else { return [] }
        return CopyEndpoints(
            context: context, copies: copies, links: links, content: content, library: content.library, files: files
        ).endpoints
            + CopyFileEndpoints(context: context, copies: copies, links: links).endpoints
    }
}
