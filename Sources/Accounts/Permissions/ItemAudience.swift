/// The audience of a single title or track.
package struct ItemAudience: Sendable, Hashable {
    /// `nil` for the audience of its section.
    package var audience: Audience?
    /// The accounts that may watch it whatever its audience is.
    package var invited: Set<UserID>
    /// Why it is kept from everybody who may not read all of them; `nil` if its audience holds.
    package var hold: Hold?

    package enum Hold: Sendable, Hashable {
        /// It is watched through links with a signature only.
        case unlisted
        /// It was hidden, and no link plays it.
        case hidden
    }

    package init(_ audience: Audience? = nil, invited: Set<UserID> = [], hold: Hold? = nil) {
        (self.audience, self.invited, self.hold) = (audience, invited, hold)
    }
}
