import Accounts
import Community
import Database
import MediaCore

/// The rows of comments. Each function runs inside the transaction of its caller.
enum TopicCommentRows {
    private static let account = JoinedAccount()

    private static func columns(text: String) -> String {
        """
        k.number, k.id, k.place, k.authorID, \(text) AS text, length(k.text) AS length, k.state, k.writtenAt,
        k.editedAt, t.id AS topicID, t.title AS topicTitle, \(account.username) AS authorName,
        \(account.photo) AS authorPhoto,
        CASE WHEN \(MemberRelations.avoids("?1", member: "k.authorID")) THEN 1 ELSE 0 END AS isMuted
        """
    }

    /// The columns of a comment in a list, with the account of the reader as `?1`; see ``joins``.
    static let listedColumns = columns(text: "substr(k.text, 1, \(ForumComment.listedCharacterCount))")
    static let joins = """
        JOIN forumTopic AS t ON t.number = k.topic
        \(account.leftJoin("k.authorID")) AND \(MemberRelations.isProfileShown(account.id))
        """

    /// - Parameters:
    ///   - reader: whose own comments are read although they are hidden.
    ///   - isModerator: whether all that are hidden are read.
    static func comment(_ row: SQLRow, reader: UserID?, isModerator: Bool) throws -> ForumComment {
        var comment = ForumComment(
            number: try row.value("number"), id: try row.value("id"), topic: try row.value("topicID"),
            topicTitle: try row.value("topicTitle"), place: try row.value("place"),
            author: try row.optional("authorID"), authorName: try row.optional("authorName"),
            authorPhoto: try row.optional("authorPhoto"), text: try row.value("text"), length: try row.value("length"),
            // What a later version has written is not shown by this one.
            state: ForumComment.State(rawValue: try row.value("state")) ?? .hidden, isMuted: try row.flag("isMuted"),
            writtenAt: try row.time("writtenAt"), editedAt: try row.optionalTime("editedAt"))
        if comment.state == .hidden, !isModerator, reader == nil || comment.author != reader {
            (comment.text, comment.length) = ("", 0)
        }
        return comment
    }

    /// A comment with its whole text, whatever its state.
    static func comment(
        _ id: OpaqueID, reader: UserID?, isModerator: Bool, _ db: any SQLConnection
    ) throws -> ForumComment? {
        try db.first(
            "SELECT \(columns(text: "k.text")) FROM forumComment AS k \(joins) WHERE k.id = ?2",
            [.text(reader?.text ?? ""), .text(id.text)]
        ) { row in try comment(row, reader: reader, isModerator: isModerator) }
    }

    /// The statement of the comments of a topic after a place.
    static let listStatement = """
        SELECT \(listedColumns) FROM forumComment AS k \(joins)
        WHERE k.topic = ?2 AND k.place > ?3 ORDER BY k.place LIMIT ?4
        """

    static func comments(
        of topic: Int64, after place: Int64, reader: UserID?, isModerator: Bool, limit: Int, _ db: any SQLConnection
    ) throws -> [ForumComment] {
        try db.rows(
            listStatement, [.text(reader?.text ?? ""), .integer(topic), .integer(place), SQLValue(limit)]
        ) { row in try comment(row, reader: reader, isModerator: isModerator) }
    }

    /// Number of comments that somebody has written in a time until now.
    static func count(
        of author: UserID, in window: Duration, until now: WallClockTime, _ db: any SQLConnection
    ) throws -> Int64 {
        try db.firstValue(
            "SELECT COUNT(*) FROM forumComment WHERE authorID = ?1 AND writtenAt > ?2 AND writtenAt <= ?3",
            .text(author.text), .time(now - window), .time(now)) ?? 0
    }

    /// Adds a comment at the end of a topic.
    static func insert(
        _ contents: CommentContents, id: OpaqueID, topic: Int64, title: String, author: UserID, notifies: Bool,
        at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        // The row of the topic is locked by this, so that each place is given once.
        let place: Int64? = try db.firstValue(
            """
            UPDATE forumTopic SET places = places + 1, comments = comments + 1,
                lastAt = CASE WHEN lastAt < ?2 THEN ?2 ELSE lastAt END
            WHERE number = ?1 RETURNING places
            """, .integer(topic), .time(now))
        guard let place else { throw Refusal(.notFound, "there is no such topic") }
        let number = try db.insertNumbered(
            [
                "id": .text(id.text), "topic": .integer(topic), "place": .integer(place),
                "authorID": .text(author.text), "text": .text(contents.text),
                "state": .text(ForumComment.State.shown.rawValue),
                "notifies": .flag(notifies), "writtenAt": .time(now),
            ], into: ForumSchema.comments)
        try db.insert(
            ["topic": .integer(topic), "userID": .text(author.text)], into: ForumSchema.participants,
            "ON CONFLICT (topic, userID) DO NOTHING")
        try setQuotes(of: number, topic: topic, contents.quoted, db)
        try ForumText.set(contents.words, title: place == 1 ? title : nil, of: number, db)
    }

    /// Notes which comments of the topic a comment quotes.
    private static func setQuotes(of comment: Int64, topic: Int64, _ places: [Int64], _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM forumQuote WHERE comment = ?1", .integer(comment))
        for place in places {
            try db.execute(
                """
                INSERT INTO forumQuote(comment, quoted)
                SELECT ?1, number FROM forumComment WHERE topic = ?2 AND place = ?3 AND number <> ?1
                ON CONFLICT (comment, quoted) DO NOTHING
                """, .integer(comment), .integer(topic), .integer(place))
        }
    }

    static func setText(
        _ contents: CommentContents, of comment: ForumComment, topic: ForumTopic, at now: WallClockTime,
        _ db: any SQLConnection
    ) throws {
        try db.execute(
            "UPDATE forumComment SET text = ?2, editedAt = ?3 WHERE number = ?1", .integer(comment.number),
            .text(contents.text), .time(now))
        try setQuotes(of: comment.number, topic: topic.number, contents.quoted, db)
        try ForumText.set(contents.words, title: comment.place == 1 ? topic.title : nil, of: comment.number, db)
    }

    /// Changes whether a comment is shown, and counts accordingly. One that is deleted loses its text and its author.
    static func setState(_ state: ForumComment.State, of comment: ForumComment, _ db: any SQLConnection) throws {
        guard comment.state != state, comment.state != .deleted else { return }
        try db.execute(
            "UPDATE forumComment SET state = ?2 WHERE number = ?1", .integer(comment.number), .text(state.rawValue))
        let amount: Int64 = (state == .shown ? 1 : 0) - (comment.state == .shown ? 1 : 0)
        if amount != 0 {
            try db.execute(
                "UPDATE forumTopic SET comments = comments + ?2 WHERE id = ?1", .text(comment.topic.text),
                .integer(amount))
        }
        guard state == .deleted else { return }
        try db.execute(
            "UPDATE forumComment SET text = '', authorID = NULL WHERE number = ?1", .integer(comment.number))
        try db.execute("DELETE FROM forumQuote WHERE comment = ?1", .integer(comment.number))
        try ForumText.delete(comment.number, db)
    }

    /// Sets the title of a topic in the words of its first comment.
    static func index(title: String, of topic: Int64, _ db: any SQLConnection) throws {
        let first = try db.first(
            """
            SELECT number, substr(text, 1, \(ForumText.maximumIndexedCount)) AS text FROM forumComment
            WHERE topic = ?1 AND place = 1
            """, [.integer(topic)]
        ) { row in (number: try row.value("number") as Int64, text: try row.value("text") as String) }
        if let first { try ForumText.set(ForumText.words(first.text), title: title, of: first.number, db) }
    }
}
