import Catalogue
import Database

/// The words of comments, which search finds by their beginnings. Each function runs inside the transaction of its
/// caller.
enum ForumText {
    /// The number of words of a search; later ones are ignored.
    private static let maximumWordCount = 8
    /// Limit of the text of a comment that is indexed. PostgreSQL takes 1 MB of words for a row.
    static let maximumIndexedCount = 100_000
    /// Number of comments that are indexed by one round of ``rebuild(_:)``.
    private static let batchSize = 500

    /// The words of a text as they are stored. Those of a long text take their time, which no transaction waits for.
    static func words(_ text: String) -> String {
        FullTextQuery.indexed(SearchText(String(text.prefix(maximumIndexedCount))).folded)
    }

    /// - Parameters:
    ///   - words: the ``words(_:)`` of the comment.
    ///   - title: the title of the topic, for its first comment; `nil` for the others.
    static func set(_ words: String, title: String?, of comment: Int64, _ db: any SQLConnection) throws {
        try delete(comment, db)
        let all = (title.map { [Self.words($0)] } ?? []) + [words]
        try db.execute(
            "INSERT INTO \(ForumSchema.textTable)(rowid, text) VALUES (?1, ?2)", .integer(comment),
            .text(all.joined(separator: " ")))
    }

    static func delete(_ comment: Int64, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM \(ForumSchema.textTable) WHERE rowid = ?1", .integer(comment))
    }

    /// A text by which titles and names are compared: without case and accents.
    static func key(_ text: String) -> String { SearchText(text).folded }

    /// The query for the words of a search; `nil` if it has no words.
    static func query(_ text: String) -> FullTextQuery? {
        FullTextQuery(SearchText(text).folded, maximumWordCount: maximumWordCount)
    }

    static func rebuild(_ db: any SQLConnection) throws {
        try db.execute("DELETE FROM \(ForumSchema.textTable)")
        var last: Int64? = 0
        while let number = last {
            let rows = try db.rows(
                """
                SELECT k.number, k.place, t.title, substr(k.text, 1, \(maximumIndexedCount)) AS text
                FROM forumComment AS k JOIN forumTopic AS t ON t.number = k.topic
                WHERE k.number > ?1 AND k.state <> 'deleted' ORDER BY k.number LIMIT ?2
                """, [.integer(number), SQLValue(batchSize)]
            ) { row in
                (
                    number: try row.value("number") as Int64, place: try row.value("place") as Int64,
                    title: try row.value("title") as String, text: try row.value("text") as String
                )
            }
            for row in rows { try set(words(row.text), title: row.place == 1 ? row.title : nil, of: row.number, db) }
            last = rows.count == batchSize ? rows.last?.number : nil
        }
    }
}
