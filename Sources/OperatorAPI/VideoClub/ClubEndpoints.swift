import HTTPEndpoints
import MediaAccess
import VideoClub
import Webhooks

/// All endpoints of the video club.
struct ClubEndpoints: Sendable {
    private let context: ClubContext
    private let payments: WebhookVerification?

    /// - Parameters:
    ///   - club: `nil` for a server without one.
    ///   - links: signs the addresses of what is rented; `nil` for a server without any.
    ///   - publicAddress: the address at which visitors reach the site; `nil` if the operator has not named it.
    ///   - payments: checks the signatures of payments; `nil` if nobody can pay for credits.
    init(
        club: VideoClub?, links: MediaLinks?, publicAddress: PublicAddress?,
        payments: WebhookVerification?
    ) {
        self.payments = payments
        context = ClubContext(club: club, links: links, publicAddress: publicAddress)
    }

    var endpoints: [Endpoint] {
        TermsEndpoints(context: context).endpoints + RentalEndpoints(context: context).endpoints
            + CreditEndpoints(context: context).endpoints
            + [PaymentEndpoint(context: context, verification: payments).endpoint]
    }
}
