package import Accounts

/// The operator's decisions about the video club.
package struct ClubSettings: Sendable, Hashable {
    /// The event that begins the time for which a rental can be watched.
    package enum Activation: String, Sendable, Hashable, CaseIterable {
        /// The member says so.
        case explicit
        /// The first request for the title's playlist.
        case firstPlayback = "first-playback"
    }

    /// The policy for votes.
    package enum Voters: String, Sendable, Hashable, CaseIterable {
        case members
        /// Members who have rented the title.
        case renters
    }

    /// The audience of lists of titles and of their search.
    package enum Listing: String, Sendable, Hashable, CaseIterable {
        case everybody
        case members
    }

    /// The effect of a rental's end on a viewer who is watching.
    package enum AtEnd: String, Sendable, Hashable, CaseIterable {
        /// Playback ends with the rental.
        case stop
        /// Members who have begun before the end may go on, for at most the title's duration.
        case letTheFilmEnd = "let-the-film-end"
    }

    /// The audience of trailers.
    package enum Trailers: String, Sendable, Hashable, CaseIterable {
        /// Everybody who may watch a title without a price.
        case everybody
        case members
    }

    package var activation: Activation
    /// The time for which an activated rental can be watched, unless the title has one of its own.
    package var timeToPlay: Duration
    package var voters: Voters
    /// Whether a second vote changes the first; otherwise it is refused.
    package var votesMayChange: Bool
    package var atEnd: AtEnd
    package var trailers: Trailers
    /// Single titles are shown to everybody who may read them, so that a link can be shared.
    package var listing: Listing = .everybody
    /// The time for which a title is new after it was added.
    package var timeNew = Duration.seconds(30 * 86_400)
    /// Number of players that may watch with a rental at the same time.
    package var playersPerRental = 3

    /// How members get credits.
    package var purchase = CreditPurchase()

    /// Whether somebody may see lists of titles.
    package func showsLists(to principal: Principal) -> Bool {
        listing == .everybody || principal != .anonymous
    }

    /// Limit of the time for which somebody may go on after the end of a rental, whatever the title's duration is.
    package static let maximumTimeAfterEnd = Duration.seconds(24 * 3_600)

    package static let defaultTimeToPlay = Duration.seconds(48 * 3_600)

    package init(
        activation: Activation = .explicit, timeToPlay: Duration = defaultTimeToPlay, voters: Voters = .members,
        votesMayChange: Bool = false, atEnd: AtEnd = .stop, trailers: Trailers = .everybody
    ) {
        (self.activation, self.timeToPlay) = (activation, timeToPlay)
        (self.voters, self.votesMayChange) = (voters, votesMayChange)
        (self.atEnd, self.trailers) = (atEnd, trailers)
    }
}
