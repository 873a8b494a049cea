package import Accounts
package import MediaCore
package import VideoClub

/// The right to play a title with a rental that lasts.
package struct RentalPermit: Sendable, Hashable {
    package let rental: Rental
    /// The time until which somebody may go on who has begun to watch.
    package let end: WallClockTime
    /// The session that the players of one credential share; see `RentalPlayer`.
    package let session: String

    /// - Parameters:
    ///   - rental: the rental.
    ///   - principal: its member, with the credential that plays.
    ///   - club: knows when rentals end.
    /// - Returns: `nil` if the rental is not activated.
    package init?(_ rental: Rental, of principal: Principal, in club: VideoClub) {
        guard let end = club.viewingEnd(of: rental) else { return nil }
        (self.rental, self.end, session) = (rental, end, RentalPlayer.session(of: principal))
    }
}
