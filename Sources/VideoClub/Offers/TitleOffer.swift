/// A title's offer to a viewer: its terms, its votes, and the viewer's own part in both.
package struct TitleOffer: Sendable, Hashable {
    package var terms: TitleTerms
    package var tally: VoteTally
    /// The caller's rating; `nil` without a vote or an account.
    package var ownRating: Int?
    /// The caller's last rental; `nil` without one or an account.
    package var rental: Rental?
}
