import Catalogue
import Database
import MediaCore

/// The rows of terms. Each function runs inside the transaction of its caller.
enum TermsRows {
    /// The counter that changes with everything that decides whether a title needs a rental.
    private static let versionName = "terms"

    static func terms(of title: Int64, _ db: any SQLConnection) throws -> TitleTerms? {
        try db.first(
            """
            SELECT price, needsRental, timeToStart, timeToPlay, title.id, revision FROM titleTerms
            LEFT JOIN (SELECT number, id FROM title) AS title ON title.number = trailerNumber WHERE titleNumber = ?1
            """, [.integer(title)]
        ) { row in
            var terms = TitleTerms()
            terms.price = try row.value(0)
            terms.asksForFreeRental = try row.flag(1)
            terms.timeToStart = (try row.optional(2) as Int64?).map { .milliseconds($0) }
            terms.timeToPlay = (try row.optional(3) as Int64?).map { .milliseconds($0) }
            terms.trailer = try row.optional(4)
            terms.revision = try row.value(5)
            return terms
        }
    }

    /// - Parameter trailer: the row number of the trailer.
    static func set(
        _ terms: TitleTerms, of title: Int64, trailer: Int64?, _ db: any SQLConnection
    ) throws {
        try db.execute(
            ClubSchema.terms.upsert, .integer(title), .integer(terms.price), .flag(terms.asksForFreeRental),
            SQLValue(terms.timeToStart?.wholeMilliseconds), SQLValue(terms.timeToPlay?.wholeMilliseconds),
            SQLValue(trailer), .integer(terms.revision))
        try db.execute(
            """
            INSERT INTO clubVersion(name, value) VALUES (?1, 1)
            ON CONFLICT (name) DO UPDATE SET value = clubVersion.value + 1
            """, .text(versionName))
    }

    /// Whether another title has this one as its trailer.
    static func isTrailer(_ title: Int64, _ db: any SQLConnection) throws -> Bool {
        try db.exists("SELECT 1 FROM titleTerms WHERE trailerNumber = ?1", .integer(title))
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
                SELECT title.id FROM titleTerms JOIN title ON title.number = titleNumber
                WHERE price > 0 OR needsRental = 1
                """
            ) { row in try row.value(0) as String })
    }

    /// Forgets the terms of titles that there are no longer.
    static func deleteOrphans(_ db: any SQLConnection) throws {
        try db.execute("DELETE FROM titleTerms WHERE NOT EXISTS (SELECT 1 FROM title WHERE number = titleNumber)")
    }
}
