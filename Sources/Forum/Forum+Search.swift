package import Accounts
import Database
package import MediaCore

extension Forum {
    /// A page of the comments that have some words, the last ones first. The words of a title are those of the first
    /// comment of its topic, too.
    ///
    /// - Parameters:
    ///   - words: the beginnings of words; a text without words finds nothing.
    ///   - category: the ID of the category; `nil` for all of the operators.
    ///   - caller: the reader.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of comments, 20 if `nil`, 100 at most.
    /// - Throws: `Refusal` with `notFound` or `invalidCursor`.
    package func search(
        _ words: String, in category: OpaqueID? = nil, for caller: Caller, after cursor: String? = nil,
        limit: Int? = nil
    ) async throws -> ListPage<ForumComment> {
        let size = ListPage<ForumComment>.size(limit)
        let start = try ListCursor.start(cursor)
        guard let query = ForumText.query(words) else { return ListPage(items: [], next: nil) }
        let reader = caller.principal.member?.id
        let rows = try await database.read { db in
            let number = try category.map { try CategoryRows.required($0, db).number }
            func page(_ way: CommentSearch.Way) throws -> [ForumComment] {
                let search = CommentSearch(
                    query, category: number, before: start, reader: reader?.text ?? "", limit: size + 1, way: way,
                    db.dialect)
                return try db.rows(search.sql, search.arguments) { row in
                    try TopicCommentRows.comment(row, reader: reader, isModerator: false)
                }
            }
            // SQLite reads the numbers that match from the last one on, and stops when the page is full.
            if db.dialect == .postgreSQL, try !CommentSearch.areRare(query, db) {
                let page = try page(.lastComments)
                if page.count > size { return page }
            }
            return try page(.matches)
        }
        return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
    }
}
