import Database

/// The statement of a page of titles or tracks. One row more than the page tells whether another page follows.
struct PageStatement<Record: LibraryRecord>: Sendable {
    let sql: String
    let arguments: [SQLValue]

    /// - Parameters:
    ///   - query: beginnings of words; `nil` or empty for all records.
    ///   - cursor: the `next` value of the page before.
    /// - Returns: `nil` if the query does not contain a word.
    /// - Throws: ``CatalogueError`` if the cursor is not valid.
    init?(_ query: String?, _ cursor: String?, _ limit: Int, _ dialect: SQLDialect) throws(CatalogueError) {
        var conditions: [String] = []
        var arguments: [SQLValue] = []
        if let query, !query.isEmpty {
            let folded = SearchText(String(query.prefix(Catalogue.maximumQueryCharacterCount))).folded
            guard let search = FullTextQuery(folded, maximumWordCount: Catalogue.maximumQueryWordCount) else {
                return nil
            }
            arguments.append(search.argument(for: dialect))
            let matches = dialect.fullTextMatches(in: Record.searchTableName, parameter: arguments.count)
            conditions.append("number IN (\(matches))")
        }
        if let cursor {
            let position = try PageCursor(parsing: cursor)
            conditions.append("(sortKey, id) > (?\(arguments.count + 1), ?\(arguments.count + 2))")
            arguments += [.text(position.sortKey), .text(position.id)]
        }
        let filter = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND ")) "
        arguments.append(SQLValue(limit + 1))
        sql = """
            \(Record.selection)
            \(filter)ORDER BY sortKey, id LIMIT ?\(arguments.count)
            """
        self.arguments = arguments
    }
}
