/// The operator's decisions about the video club.
package struct ClubSettings: Sendable, Hashable {
    /// What begins the time for which a rental can be watched.
    package enum Activation: String, Sendable, Hashable, CaseIterable {
        /// The member says so.
        case explicit
        /// The first request for the title's playlist.
        case firstPlayback = "first-playback"
    }

    /// Who may vote.
    package enum Voters: String, Sendable, Hashable, CaseIterable {
        case members
        /// Members who have rented the title.
        case renters
    }

    package var activation: Activation
    /// The time for which an activated rental can be watched, unless the title has one of its own.
    package var timeToPlay: Duration
    package var voters: Voters
    /// Whether a second vote changes the first; otherwise it is refused.
    package var votesMayChange: Bool

    package static let defaultTimeToPlay = Duration.seconds(48 * 3_600)

    package init(
        activation: Activation = .explicit, timeToPlay: Duration = defaultTimeToPlay, voters: Voters = .members,
        votesMayChange: Bool = false
    ) {
        (self.activation, self.timeToPlay) = (activation, timeToPlay)
        (self.voters, self.votesMayChange) = (voters, votesMayChange)
    }
}
