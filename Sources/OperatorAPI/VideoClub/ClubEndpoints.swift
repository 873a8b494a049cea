import Accounts
import HTTPEndpoints
import MediaAccess
import VideoClub
import Webhooks

/// All endpoints of the video club.
struct ClubEndpoints: Sendable {
    private let context: ClubContext
    private let payments: WebhookVerification?
    private let copies: OfflineCopies?
    private let content: any ContentSource
    private let files: FileEndpoints

    /// - Parameters:
    ///   - club: `nil` for a server without one.
    ///   - links: signs the addresses of what is rented; `nil` for a server without any.
    ///   - accounts: the accounts; `nil` for a server without any.
    ///   - publicAddress: the address at which visitors reach the site; `nil` if the operator has not named it.
    ///   - copies: offline copies of rented titles; `nil` for a server without any.
    ///   - content: the library: trailers, and the details of titles, which devices keep.
    ///   - files: sends posters.
    ///   - payments: checks the signatures of payments; `nil` if nobody can pay for credits.
    init(
        club: VideoClub?, links: MediaLinks?, accounts: Accounts?, publicAddress: PublicAddress?,
        copies: OfflineCopies?,
        content: any ContentSource, files: FileEndpoints, payments: WebhookVerification?
    ) {
        (self.payments, self.copies, self.content, self.files) = (payments, copies, content, files)
        context = ClubContext(club: club, links: links, publicAddress: publicAddress, accounts: accounts)
    }

    var endpoints: [Endpoint] {
        TermsEndpoints(context: context, content: content).endpoints + RentalEndpoints(context: context).endpoints
            + CreditEndpoints(context: context).endpoints
            + ClubDeviceEndpoints(context: context).endpoints
            + CopyEndpoints(context: context, copies: copies, content: content, files: files).endpoints
            + CopyFileEndpoints(context: context, copies: copies).endpoints
            + [PaymentEndpoint(context: context, verification: payments).endpoint]
    }
}
