package import HTTPEndpoints
import SiteTexts
package import VideoClub
package import Workflows

/// The pages of the video club.
package struct ClubPages: Sendable {
    /// The links to the pages on the page of an account.
    package static let links = [
        AccountPageLink(path: ClubPath.myTitles, need: nil) { ClubText.of($0).myTitles },
        AccountPageLink(path: ClubPath.myCredits, need: nil) { ClubText.of($0).myCredits },
    ]

    package let endpoints: [Endpoint]

    /// - Parameters:
    ///   - pages: the account pages, whose forms look the same.
    ///   - content: the library.
    ///   - club: what is rented.
    ///   - copies: offline copies of rentals; `nil` for a server without any.
    package init(pages: AccountPages, content: any ContentSource, club: VideoClub, copies: OfflineCopies?) {
        endpoints =
            RentalPages(pages: pages, content: content, club: club).endpoints
            + OwnClubPages(pages: pages, club: club, copies: copies).endpoints
            + TermsPages(pages: pages, content: content, club: club).endpoints
    }
}
