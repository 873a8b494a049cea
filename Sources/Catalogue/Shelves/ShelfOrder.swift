import Database

/// The orders of the lists of playable titles. The raw values are the names in the API.
package enum ShelfOrder: String, Sendable, Hashable, CaseIterable {
    /// The most recently added first.
    case newest
    /// The order of titles that `SortKey` defines.
    case title
    /// The cheapest first.
    case price
    /// The best average first, then the one with more votes.
    case rating
    /// The best matches of a search first; without a search, the order of titles.
    case relevance

    /// The columns of a shelf that come before the row number.
    var columns: [(name: String, kind: SQLColumnType)] {
        switch self {
        case .newest: [("addedAt", .integer)]
        case .title: [("sortKey", .text)]
        case .price: [("price", .integer)]
        case .rating: [("rating", .integer), ("voteCount", .integer)]
        case .relevance: [("fit", .integer), ("sortKey", .text)]
        }
    }

    var isDescending: Bool { self == .newest || self == .rating }
}
