/// The data of a title that lists show and sort by, besides its record.
package struct TitleListing: Sendable, Hashable {
    /// Credits for a rental; 0 if it is free.
    package var price: Int64 = 0
    /// The regular price of a rental, if it costs less now; `nil` otherwise.
    package var regularPrice: Int64?
    /// Whether the operator recommends it.
    package var isFeatured = false
    /// Whether it is the trailer of another title.
    package var isTrailer = false
    package var voteCount: Int64 = 0
    /// The sum of the ratings.
    package var ratingSum: Int64 = 0

    package init() {}

    /// The average rating, with two decimals; `nil` without votes.
    package var averageRating: Double? { Self.average(of: voteCount, sum: ratingSum) }

    /// The average of some votes, with two decimals; `nil` without votes.
    package static func average(of count: Int64, sum: Int64) -> Double? {
        count > 0 ? (Double(sum) / Double(count) * 100).rounded() / 100 : nil
    }

    /// The average rating in thousandths; 0 without votes.
    var rating: Int64 {
        guard voteCount > 0 else { return 0 }
        let (product, overflow) = ratingSum.multipliedReportingOverflow(by: 1_000)
        return overflow ? 0 : product / voteCount
    }
}
