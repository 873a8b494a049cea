import Catalogue

/// The votes for a title.
package struct VoteTally: Sendable, Hashable {
    package var count: Int64
    /// The sum of the ratings.
    package var sum: Int64

    /// The ratings that a vote may have.
    package static let ratings = 1...10

    /// The average, with two decimals; `nil` without votes.
    package var average: Double? { TitleListing.average(of: count, sum: sum) }
}
