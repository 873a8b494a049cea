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
            .init("titleNumber", .integer), .init("price", .integer), .init("regularPrice", .integer),
            .init("featured", .integer), .init("voteCount", .integer), .init("ratingSum", .integer),
            .init(TitleKindRows.trailerColumn, .integer),
        ], key: ["titleNumber"])
    static let shelves = SQLTable(
        "titleShelf",
        [
            .init("shelf", .text), .init("titleNumber", .integer), .init("label", .text), .init("addedAt", .integer),
            .init("price", .integer), .init("rating", .integer), .init("voteCount", .integer), .init("sortKey", .text),
        ], key: ["shelf", "titleNumber"])

    static let indexes: [(name: String, columns: String)] = [
        ("titleShelf_title", "titleShelf(titleNumber)"),
        ("titleShelf_newest", "titleShelf(shelf, addedAt, titleNumber)"),
        ("titleShelf_order", "titleShelf(shelf, sortKey, titleNumber)"),
        ("titleShelf_price", "titleShelf(shelf, price, titleNumber)"),
        ("titleShelf_rating", "titleShelf(shelf, rating, voteCount, titleNumber)"),
    ]

    static func createTables(_ db: any SQLConnection) throws {
        let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
        try db.execute(
            """
            CREATE TABLE titleListing(
                titleNumber \(integer) PRIMARY KEY, price \(integer) NOT NULL, regularPrice \(integer),
                featured \(integer) NOT NULL, voteCount \(integer) NOT NULL, ratingSum \(integer) NOT NULL)
            """)
        try TitleKindRows.addColumns(db)
        try db.execute(
            """
            CREATE TABLE titleShelf(
                shelf \(text) NOT NULL, titleNumber \(integer) NOT NULL, label \(text) NOT NULL,
                addedAt \(integer) NOT NULL, price \(integer) NOT NULL, rating \(integer) NOT NULL,
                voteCount \(integer) NOT NULL, sortKey \(text) NOT NULL, PRIMARY KEY (shelf, titleNumber))
            """)
        for index in indexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
    }

    // MARK: Listings

    /// The listing of a title; an empty one if nothing was ever said.
    package static func listing(of title: Int64, _ db: any SQLConnection) throws -> TitleListing {
        try db.first(
            """
            SELECT price, regularPrice, featured, voteCount, ratingSum, trailer FROM titleListing
            WHERE titleNumber = ?1\(db.dialect.rowLock)
            """, [.integer(title)], Self.listing(from: 0)) ?? TitleListing()
    }

    /// The columns of ``listing(from:)``; a title of which nothing was said is free and has no votes.
    static let listingColumns = """
        COALESCE(listing.price, 0), listing.regularPrice, COALESCE(listing.featured, 0),
        COALESCE(listing.voteCount, 0), COALESCE(listing.ratingSum, 0), COALESCE(listing.trailer, 0)
        """
    /// Joins them to titles.
    static let listingJoin = "LEFT JOIN titleListing AS listing ON listing.titleNumber = title.number"

    static func listing(from column: Int) -> (SQLRow) throws -> TitleListing {
        { row in
            var listing = TitleListing()
            listing.price = try row.value(column)
            listing.regularPrice = try row.optional(column + 1)
            listing.isFeatured = try row.flag(column + 2)
            listing.voteCount = try row.value(column + 3)
            listing.ratingSum = try row.value(column + 4)
            listing.isTrailer = try row.flag(column + 5)
            return listing
        }
    }

    /// Changes the listing of a title, and puts the title on the shelves that follow.
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
        let columns = shelves.columns.map(\.name).joined(separator: ", ")
        let old = try db.rows(
            "SELECT \(columns) FROM titleShelf WHERE titleNumber = ?1", [.integer(number)]
        ) { row -> (name: String, values: [SQLValue]) in
            let name: String = try row.value(0)
            return (
                name,
                [
                    .text(name), .integer(try row.value(1)), .text(try row.value(2)), .integer(try row.value(3)),
                    .integer(try row.value(4)), .integer(try row.value(5)), .integer(try row.value(6)),
                    .text(try row.value(7)),
                ]
            )
        }
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
