import Catalogue
import Database

/// The terms and votes that lists show. Each function runs inside the transaction of its caller.
enum ListingRows {
    static func show(_ terms: TitleTerms, of title: Int64, _ db: any SQLConnection) throws {
        try ShelfRows.change(of: title, db) { listing in
            (listing.price, listing.regularPrice, listing.isFeatured) = (
                terms.price, terms.regularPrice, terms.isFeatured
            )
        }
    }

    /// Shows whether a title is the trailer of another one.
    static func showTrailer(_ title: Int64, _ db: any SQLConnection) throws {
        let isTrailer = try TermsRows.isTrailer(title, db)
        try ShelfRows.change(of: title, db) { listing in listing.isTrailer = isTrailer }
    }

    static func show(_ tally: VoteTally, of title: Int64, _ db: any SQLConnection) throws {
        try ShelfRows.change(of: title, db) { listing in
            (listing.voteCount, listing.ratingSum) = (tally.count, tally.sum)
        }
    }

    /// Compares a batch of titles with their terms and votes: the votes of an account that was deleted are gone, and a
    /// server of the version before does not know lists.
    ///
    /// - Parameter number: the row number after which the batch begins; 0 for the first.
    /// - Returns: the last row number of the batch; `nil` after the last one.
    static func compare(after number: Int64, limit: Int, _ db: any SQLConnection) throws -> Int64? {
        let end = try ShelfRows.placeAgain(after: number, limit: limit, db)
        // What a server of the version before writes about a title for the first time has no listing yet.
        let titles = try db.rows(
            """
            SELECT titleNumber FROM titleListing WHERE titleNumber > ?1 AND titleNumber <= ?2
            UNION SELECT titleNumber FROM titleTerms WHERE titleNumber > ?1 AND titleNumber <= ?2
            UNION SELECT titleNumber FROM titleVote WHERE titleNumber > ?1 AND titleNumber <= ?2
            UNION SELECT trailerNumber FROM titleTerms WHERE trailerNumber > ?1 AND trailerNumber <= ?2
            ORDER BY titleNumber
            """, [.integer(number), .integer(end ?? .max)]
        ) { row in try row.value(0) as Int64 }
        for title in titles {
            try show(try TermsRows.terms(of: title, db) ?? TitleTerms(), of: title, db)
            try show(try VoteRows.tally(of: title, db), of: title, db)
            try showTrailer(title, db)
        }
        return end
    }
}
