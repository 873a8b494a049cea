import Database

/// The statement of a page of the comments with some words, the last ones first.
struct CommentSearch {
    private(set) var arguments: [SQLValue]
    private(set) var sql = ""

    /// Up to so many comments with the words of a search are rare; see ``areRare(_:_:)``.
    static let rareWordLimit = 2_000

    /// The ways to the comments with some words.
    enum Way: CaseIterable {
        /// Reads the numbers of those that match, from the last one on.
        case matches
        /// Looks each of the last comments up, for words that many have. PostgreSQL would read all matches otherwise.
        case lastComments
    }

    /// - Parameters:
    ///   - words: the words.
    ///   - category: the row number of a category; `nil` for all of the operators.
    ///   - number: the row number of the comment before the page.
    ///   - reader: the account of the reader; empty for a stranger.
    ///   - limit: number of rows.
    init(
        _ words: FullTextQuery, category: Int64?, before number: Int64, reader: String, limit: Int, way: Way,
        _ dialect: SQLDialect
    ) {
        var arguments: [SQLValue] = [.text(reader), .integer(number), SQLValue(limit)]
        func parameter(_ value: SQLValue) -> String {
            arguments.append(value)
            return "?\(arguments.count)"
        }
        let isListed =
            category.map { "t.category = \(parameter(.integer($0))) AND t.state = 'shown'" } ?? "t.isListed = 1"
        let (table, condition): (String, String)
        switch way {
        case .matches:
            let found = dialect.fullTextMatches(in: ForumSchema.textTable, at: parameter(words.argument(for: dialect)))
            // Hardly any of those that match is left out, unless the search is limited to a category.
            let end = category == nil ? " LIMIT \(Self.rareWordLimit)" : ""
            table = """
                (\(found) AND rowid < ?2 ORDER BY rowid DESC\(end)) AS found
                CROSS JOIN forumComment AS k
                """
            condition = "k.number = found.rowid"
        case .lastComments:
            table = """
                (SELECT * FROM forumComment WHERE number < ?2 ORDER BY number DESC
                    LIMIT \(FullTextQuery.lookedUpRowCount)) AS k
                """
            condition = words.condition(on: "k.number", in: ForumSchema.textTable, for: dialect) { parameter($0) }
        }
        sql = """
            SELECT \(TopicCommentRows.listedColumns) FROM \(table) \(TopicCommentRows.joins)
            WHERE \(condition) AND \(isListed) AND k.state = 'shown' ORDER BY k.number DESC LIMIT ?3
            """
        self.arguments = arguments
    }

    /// Whether few comments have some words.
    static func areRare(_ words: FullTextQuery, _ db: any SQLConnection) throws -> Bool {
        let matches = db.dialect.fullTextMatches(in: ForumSchema.textTable, parameter: 1)
        let count: Int64? = try db.firstValue(
            "SELECT count(*) FROM (\(matches) LIMIT \(rareWordLimit + 1)) AS found", words.argument(for: db.dialect))
        return (count ?? 0) <= Int64(rareWordLimit)
    }
}
