import Database
package import MediaCore

extension Catalogue {
    /// A page of playable titles in any order, with what lists show of them; the other parameters are those of
    /// `CatalogueStore`.
    package func titles(
        _ wanted: ShelfQuery, after cursor: String?, limit: Int
    ) async throws -> ListPage<ListedTitle> {
        let limit = min(max(1, limit), Self.maximumPageSize)
        guard let page = try ShelfPage(wanted, cursor, limit, database.dialect) else {
            // A query of punctuation only does not match anything.
            return ListPage(items: [], next: nil)
        }
        return try await database.read { db in
            let rows = try page.rows(db)
            let items = rows.prefix(limit).map(\.title)
            return ListPage(items: items, next: rows.count > limit ? rows[limit - 1].cursor.text : nil)
        }
    }

    /// The data that lists show of titles besides their records.
    ///
    /// - Parameter titles: the IDs of at most ``maximumPageSize`` titles.
    /// - Returns: the listings by ID; titles of which nothing was said are left out.
    package func listings(of titles: [String]) async throws -> [String: TitleListing] {
        guard !titles.isEmpty else { return [:] }
        let titles = Array(titles.prefix(Self.maximumPageSize))
        let places = SQLParameters.list(titles.count)
        let rows = try await database.read { db in
            try db.rows(
                """
                SELECT id, \(ShelfRows.listings.columnList(of: "listing"))
                FROM title JOIN titleListing AS listing ON listing.titleNumber = title.number WHERE id IN (\(places))
                """, titles.map(SQLValue.text)
            ) { row in (id: try row.value("id") as String, listing: try ShelfRows.listing(row)) }
        }
        return Dictionary(rows.map { ($0.id, $0.listing) }) { first, _ in first }
    }

    /// Limit of ``genres(visible:)``.
    package static let maximumGenreCount = 200

    /// The genres of playable titles, in alphabetical order, as one of their titles writes them.
    ///
    /// - Parameter visible: which titles the reader may be shown; `nil` for all. Genres of others only are left out.
    package func genres(visible: RecordVisibility?) async throws -> [String] {
        var arguments: [SQLValue] = [
            .text(Shelf.genrePrefix), .text(Shelf.genreEnd), .integer(Int64(Self.maximumGenreCount)),
        ]
        let shown = Self.visibility(visible, TitleRecord.tableName, &arguments)
        let table = shown.isEmpty ? "" : " CROSS JOIN title"
        let condition = shown.isEmpty ? "" : " AND title.number = s.titleNumber\(shown)"
        // One look into the index for each genre, not one for each title.
        let sql = """
            WITH RECURSIVE genre(name) AS (
                SELECT min(shelf) FROM titleShelf WHERE shelf >= ?1 AND shelf < ?2
                UNION ALL
                SELECT (SELECT min(shelf) FROM titleShelf WHERE shelf > genre.name AND shelf < ?2) FROM genre
                WHERE genre.name IS NOT NULL)
            SELECT (SELECT s.label FROM titleShelf AS s\(table) WHERE s.shelf = genre.name\(condition)
                ORDER BY s.titleNumber LIMIT 1) FROM genre WHERE genre.name IS NOT NULL LIMIT ?3
            """
        return try await database.read { [arguments] db in
            try db.rows(sql, arguments) { row in try row.optional(0) as String? }.compactMap(\.self)
        }
    }
}
