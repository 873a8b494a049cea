import Catalogue
import Database
import MediaCore

/// The rows of terms. Each function runs inside the transaction of its caller.
enum TermsRows {
    /// The counter that changes with everything that decides whether a title needs a rental.
    private static let versionName = "terms"

    private static let (title, trailer) = (JoinedTitle(), JoinedTitle(as: "trailer"))
    private static let columns =
        ClubSchema.terms.columnList(of: "titleTerms", without: "trailerNumber") + ", \(trailer.id) AS trailerID"
    private static let trailers = trailer.leftJoin("titleTerms.trailerNumber")

    static func terms(of title: Int64, _ db: any SQLConnection) throws -> TitleTerms? {
        try db.first(
            "SELECT \(columns) FROM titleTerms \(trailers) WHERE titleNumber = ?1", [.integer(title)]
        ) { row in try terms(row) }
    }

    /// The terms of several titles, by ID.
    static func terms(ofTitles ids: [String], _ db: any SQLConnection) throws -> [String: TitleTerms] {
        guard !ids.isEmpty else { return [:] }
        let rows = try db.rows(
            """
            SELECT \(columns), \(title.id) AS titleID FROM titleTerms \(title.join("titleTerms.titleNumber")) \(trailers)
            WHERE \(title.id) IN (\(SQLParameters.list(ids.count)))
            """, ids.map(SQLValue.text)
        ) { row in (try row.value("titleID") as String, try terms(row)) }
        return Dictionary(rows) { first, _ in first }
    }

    private static func terms(_ row: SQLRow) throws -> TitleTerms {
        var terms = TitleTerms()
        terms.price = try row.value("price")
        terms.asksForFreeRental = try row.flag("needsRental")
        terms.timeToStart = (try row.optional("timeToStart") as Int64?).map { .milliseconds($0) }
        terms.timeToPlay = (try row.optional("timeToPlay") as Int64?).map { .milliseconds($0) }
        terms.trailer = try row.optional("trailerID")
        terms.revision = try row.value("revision")
        terms.regularPrice = try row.optional("regularPrice")
        terms.isFeatured = try row.flag("featured")
        return terms
    }

    /// - Parameter trailer: the row number of the trailer.
    static func set(
        _ terms: TitleTerms, of title: Int64, trailer: Int64?, _ db: any SQLConnection
    ) throws {
        let former: Int64? = try db.firstValue(
            "SELECT trailerNumber FROM titleTerms WHERE titleNumber = ?1", .integer(title))
        try db.execute(
            ClubSchema.terms.upsert, .integer(title), .integer(terms.price), .flag(terms.asksForFreeRental),
            SQLValue(terms.timeToStart?.wholeMilliseconds), SQLValue(terms.timeToPlay?.wholeMilliseconds),
            SQLValue(trailer), .integer(terms.revision), SQLValue(terms.regularPrice), .flag(terms.isFeatured))
        try ListingRows.show(terms, of: title, db)
        if former != trailer {
            // Always in the same order, so that two servers do not wait for each other.
            for number in [former, trailer].compactMap(\.self).sorted() { try ListingRows.showTrailer(number, db) }
        }
        try db.insert(
            ["name": .text(versionName), "value": 1], into: ClubSchema.versions,
            "ON CONFLICT (name) DO UPDATE SET value = clubVersion.value + 1")
    }

    /// The IDs of some titles that have this one as their trailer; those that were deleted have an empty one.
    static func titles(withTrailer title: Int64, limit: Int, _ db: any SQLConnection) throws -> [String] {
        try db.rows(
            """
            SELECT COALESCE(\(Self.title.id), '') FROM titleTerms \(Self.title.leftJoin("titleTerms.titleNumber"))
            WHERE trailerNumber = ?1 LIMIT ?2
            """, [.integer(title), SQLValue(limit)]
        ) { row in try row.value(0) }
    }

    /// A number that changes with every change of terms.
    static func version(_ db: any SQLConnection) throws -> Int64 {
        try db.firstValue("SELECT value FROM clubVersion WHERE name = ?1", .text(versionName)) ?? 0
    }

    /// The IDs of all titles that need a rental.
    static func titlesWithRental(_ db: any SQLConnection) throws -> Set<String> {
        Set(
            try db.rows(
                """
                SELECT \(title.id) FROM titleTerms \(title.join("titleTerms.titleNumber"))
                WHERE price > 0 OR needsRental = 1
                """
            ) { row in try row.value(0) as String })
    }

    /// Whether a title is the trailer of another one.
    static func isTrailer(_ title: Int64, _ db: any SQLConnection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM titleTerms \(Self.title.join("titleTerms.titleNumber")) WHERE trailerNumber = ?1 LIMIT 1
            """, .integer(title))
    }

    /// The IDs of all titles that are the trailer of another one.
    static func trailers(_ db: any SQLConnection) throws -> Set<String> {
        Set(
            try db.rows(
                """
                SELECT \(trailer.id) FROM titleTerms \(trailer.join("titleTerms.trailerNumber"))
                WHERE trailerNumber IS NOT NULL
                """
            ) { row in try row.value(0) as String })
    }

    /// Forgets the terms of titles that there are no longer.
    static func deleteOrphans(_ db: any SQLConnection) throws {
        try db.execute("DELETE FROM titleTerms WHERE NOT \(TitleRows.exists(number: "titleTerms.titleNumber"))")
    }
}
