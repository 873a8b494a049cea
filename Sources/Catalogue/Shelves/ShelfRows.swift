package import Database

/// The listings of titles, and the shelves that follow from them. Each function runs inside the transaction of its
/// caller.
///
/// The video club says what a title costs and how it was rated; the catalogue says whether it plays, its name and its
/// genres. Whichever of them changes something, the shelves are right when its transaction ends.
package enum ShelfRows {
    static let listings = SQLTable(
        "titleListing",
        [
            .integer("titleNumber"), .integer("price"), .integer("regularPrice", .optional), .integer("featured"),
            .integer("voteCount"), .integer("ratingSum"), .integer(TitleKindRows.trailerColumn, .default(0)),
        ], key: ["titleNumber"])
    static let shelves = SQLTable(
        "titleShelf",
        [
            .text("shelf"), .integer("titleNumber"), .text("label"), .integer("addedAt"), .integer("price"),
            .integer("rating"), .integer("voteCount"), .text("sortKey"),
        ], key: ["shelf", "titleNumber"],
        indexes: [
            SQLIndex("titleShelf_title", "titleNumber"),
            SQLIndex("titleShelf_newest", "shelf", "addedAt", "titleNumber"),
            SQLIndex("titleShelf_order", "shelf", "sortKey", "titleNumber"),
            SQLIndex("titleShelf_price", "shelf", "price", "titleNumber"),
            SQLIndex("titleShelf_rating", "shelf", "rating", "voteCount", "titleNumber"),
        ])

    // MARK: Listings

    /// The listing of a title; an empty one if nothing was ever said.
    package static func listing(of title: Int64, _ db: any SQLConnection) throws -> TitleListing {
        try db.first(
            "SELECT \(listings.columnList) FROM titleListing WHERE titleNumber = ?1\(db.dialect.rowLock)",
            [.integer(title)]
        ) { row in try listing(row) } ?? TitleListing()
    }

    /// The columns of ``listing(_:)``; a title of which nothing was said is free and has no votes.
    static let listingColumns = """
        COALESCE(listing.price, 0) AS price, listing.regularPrice, COALESCE(listing.featured, 0) AS featured,
        COALESCE(listing.voteCount, 0) AS voteCount, COALESCE(listing.ratingSum, 0) AS ratingSum,
        COALESCE(listing.trailer, 0) AS trailer
        """
    /// Joins them to titles.
    static let listingJoin = "LEFT JOIN titleListing AS listing ON listing.titleNumber = title.number"

    static func listing(_ row: SQLRow) throws(SQLError) -> TitleListing {
        var listing = TitleListing()
        listing.price = try row.value("price")
        listing.regularPrice = try row.optional("regularPrice")
        listing.isFeatured = try row.flag("featured")
        listing.voteCount = try row.value("voteCount")
        listing.ratingSum = try row.value("ratingSum")
        listing.isTrailer = try row.flag("trailer")
        return listing
    }

    /// Updates a title's listing and the shelves derived from it.
    package static func change(
        of title: Int64, _ db: any SQLConnection, _ change: (inout TitleListing) -> Void
    ) throws {
        let old = try listing(of: title, db)
        var new = old
        change(&new)
        guard new != old else { return }
        try db.execute(
            listings.upsert, .integer(title), .integer(new.price), SQLValue(new.regularPrice), .flag(new.isFeatured),
            .integer(new.voteCount), .integer(new.ratingSum), .flag(new.isTrailer))
        if let record = try TitleRecord.first(db, "WHERE number = ?1", .integer(title)) {
            try record.updateLists(number: title, db)
        }
    }

    // MARK: Shelves

    /// Puts a title on the shelves that it belongs to, and takes it from all others. Its kind was found before.
    static func place(_ title: TitleRecord, number: Int64, _ db: any SQLConnection) throws {
        // Most changes are those of a job's progress.
        let listing = title.state == .ready ? try listing(of: number, db) : TitleListing()
        var missing = Dictionary(
            uniqueKeysWithValues: Shelf.shelves(of: title, listing).map { shelf in
                (shelf.name, values(of: title, number: number, shelf, listing))
            })
        let old = try db.rows(
            "SELECT \(shelves.columnList) FROM titleShelf WHERE titleNumber = ?1", [.integer(number)]
        ) { row in (name: try row.value("shelf") as String, values: try row.values(of: shelves)) }
        for row in old {
            if let wanted = missing[row.name] {
                if wanted == row.values { missing[row.name] = nil }
            } else {
                try db.execute(
                    "DELETE FROM titleShelf WHERE shelf = ?1 AND titleNumber = ?2", .text(row.name), .integer(number))
            }
        }
        // Always in the same order, so that two servers do not wait for each other.
        for (_, values) in missing.sorted(by: { $0.key < $1.key }) { try db.execute(shelves.upsert, values) }
    }

    private static func values(
        of title: TitleRecord, number: Int64, _ shelf: Shelf, _ listing: TitleListing
    ) -> [SQLValue] {
        [
            .text(shelf.name), .integer(number), .text(shelf.label),
            .integer(StoredDate(title.addedAt).milliseconds), .integer(listing.price), .integer(listing.rating),
            .integer(listing.voteCount), .text(SortKey(title.title).text),
        ]
    }

    /// Forgets a title that is deleted.
    static func remove(_ number: Int64, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM titleShelf WHERE titleNumber = ?1", .integer(number))
        try db.execute("DELETE FROM titleListing WHERE titleNumber = ?1", .integer(number))
    }

    /// Finds the kinds of a batch of titles again, and puts them on their shelves and into their series: a server of
    /// the version before, which works beside this one while an installation is upgraded, does not know them.
    ///
    /// - Parameters:
    ///   - number: the row number after which the batch begins; 0 for the first.
    ///   - limit: the number of titles.
    ///   - db: the connection of the caller's transaction.
    /// - Returns: the last row number of the batch; `nil` after the last one.
    package static func placeAgain(after number: Int64, limit: Int, _ db: any SQLConnection) throws -> Int64? {
        let batch = try TitleRecord.batch(after: number, limit: limit, db)
        for entry in batch { try entry.record.updateLists(number: entry.number, db) }
        return batch.count == limit ? batch.last?.number : nil
    }
}
