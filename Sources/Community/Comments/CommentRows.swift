import Accounts
import Database
import MediaCore

/// The rows of comments. Each function runs inside the transaction of its caller.
enum CommentRows {
    private static let columns = """
        \(VideoSchema.comments.columnList(of: "k", without: "video", "parent")), v.id AS videoID, parent.id AS parentID,
        \(ProfileRows.account.username) AS authorName, \(ProfileRows.account.photo) AS authorPhoto
        """
    private static let tables = """
        videoComment AS k JOIN communityVideo AS v ON v.number = k.video
        LEFT JOIN videoComment AS parent ON parent.number = k.parent \(ProfileRows.shownAccount("k.authorID"))
        """

    private static func comment(_ row: SQLRow) throws -> VideoComment {
        VideoComment(
            number: try row.value("number"), id: try row.value("id"), video: try row.value("videoID"),
            parent: try row.optional("parentID"),
            author: try row.optional("authorID"), authorName: try row.optional("authorName"),
            text: try row.value("text"),
            // What a later version has written is not shown by this one.
            state: CommentState(rawValue: try row.value("state")) ?? .hidden, replies: try row.value("replies"),
            writtenAt: try row.time("writtenAt"), editedAt: try row.optionalTime("editedAt"),
            authorPhoto: try row.optional("authorPhoto"))
    }

    static func comment(_ id: OpaqueID, _ db: any SQLConnection) throws -> VideoComment? {
        try db.first("SELECT \(columns) FROM \(tables) WHERE k.id = ?1", [.text(id.text)], comment)
    }

    /// - Throws: `Refusal` with `notFound`.
    static func required(_ id: OpaqueID, _ db: any SQLConnection) throws -> VideoComment {
        guard let comment = try comment(id, db) else { throw Refusal(.notFound, "there is no such comment") }
        return comment
    }

    /// Comments about a video, the last ones first.
    ///
    /// - Parameters:
    ///   - reader: whose own comments are among them although they are not shown; `nil` for nobody's.
    ///   - showsAll: whether all that are not shown are among them.
    static func comments(
        of video: Int64, reader: UserID?, showsAll: Bool, before number: Int64, limit: Int, _ db: any SQLConnection
    ) throws -> [VideoComment] {
        try db.rows(
            """
            SELECT \(columns) FROM \(tables) WHERE k.parent IS NULL AND k.video = ?4 AND k.number < ?1
                AND \(condition(showsAll)) ORDER BY k.number DESC LIMIT ?3
            """, [.integer(number), .text(reader?.text ?? ""), SQLValue(limit), .integer(video)], comment)
    }

    /// The answers to comments, the first ones first.
    static func replies(
        to parents: [Int64], reader: UserID?, showsAll: Bool, after number: Int64 = 0, limit: Int,
        _ db: any SQLConnection
    ) throws -> [VideoComment] {
        guard !parents.isEmpty else { return [] }
        let places = (0..<parents.count).map { "?\($0 + 4)" }.joined(separator: ", ")
        return try db.rows(
            """
            SELECT \(columns) FROM \(tables) WHERE k.parent IN (\(places)) AND k.number > ?1
                AND \(condition(showsAll)) ORDER BY k.number LIMIT ?3
            """, [.integer(number), .text(reader?.text ?? ""), SQLValue(limit)] + parents.map(SQLValue.integer),
            comment)
    }

    private static func condition(_ showsAll: Bool) -> String {
        // The parameter is used in both cases, because PostgreSQL has to know its type.
        "(k.state IN ('shown', 'deleted') OR k.authorID = ?2\(showsAll ? " OR 1 = 1" : ""))"
            + (showsAll ? "" : " AND \(BarrierRows.isNotMuted(by: "?2", "k.authorID"))")
    }

    /// A comment about a video that may be answered.
    ///
    /// - Throws: `Refusal` with `notFound` or `invalidField`.
    static func answered(_ id: OpaqueID, of video: Video, _ db: any SQLConnection) throws -> VideoComment {
        guard let parent = try comment(id, db), parent.video == video.id, parent.state == .shown else {
            throw Refusal(.notFound, "there is no such comment", field: "parent")
        }
        guard parent.parent == nil else {
            throw Refusal(.invalidField, "replies cannot be answered; answer the comment", field: "parent")
        }
        return parent
    }

    /// Number of comments that somebody has written in a time until now. Those that a clock that was wrong has dated
    /// later do not count.
    static func count(
        of author: UserID, in window: Duration, until now: WallClockTime, _ db: any SQLConnection
    ) throws -> Int64 {
        try db.firstValue(
            "SELECT COUNT(*) FROM videoComment WHERE authorID = ?1 AND writtenAt > ?2 AND writtenAt <= ?3",
            .text(author.text), .time(now - window), .time(now)) ?? 0
    }

    // MARK: Changes

    static func insert(
        _ text: String, id: OpaqueID, video: Int64, parent: Int64?, author: UserID?, _ state: CommentState,
        at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.insert(
            [
                "id": .text(id.text), "video": .integer(video), "parent": SQLValue(parent),
                "authorID": SQLValue(author?.text), "text": .text(text), "state": .text(state.rawValue), "replies": 0,
                "writtenAt": .time(now),
            ], into: VideoSchema.comments)
        if state == .shown { try count(1, video: video, parent: parent, db) }
    }

    static func setText(
        _ text: String, of comment: VideoComment, _ state: CommentState, at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.execute(
            "UPDATE videoComment SET text = ?2, editedAt = ?3 WHERE number = ?1", .integer(comment.number),
            .text(text), .time(now))
        try setState(state, of: comment.id, db)
    }

    /// Sets the state of a comment and counts accordingly.
    static func setState(_ state: CommentState, of id: OpaqueID, _ db: any SQLConnection) throws {
        let row = try db.first(
            "SELECT number, video, parent, state FROM videoComment WHERE id = ?1\(db.dialect.rowLock)",
            [.text(id.text)]
        ) { row in
            (
                number: try row.value("number") as Int64, video: try row.value("video") as Int64,
                parent: try row.optional("parent") as Int64?, state: try row.value("state") as String
            )
        }
        guard let row, row.state != state.rawValue else { return }
        try db.execute(
            "UPDATE videoComment SET state = ?2 WHERE number = ?1", .integer(row.number), .text(state.rawValue))
        let (before, after) = (row.state == CommentState.shown.rawValue, state == .shown)
        if before != after { try count(after ? 1 : -1, video: row.video, parent: row.parent, db) }
    }

    private static func count(_ amount: Int64, video: Int64, parent: Int64?, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE videoCount SET comments = comments + ?2 WHERE video = ?1", .integer(video), .integer(amount))
        guard let parent else { return }
        try db.execute(
            "UPDATE videoComment SET replies = replies + ?2 WHERE number = ?1", .integer(parent), .integer(amount))
    }

    /// Deletes a comment. One with answers stays without its text and its author, until the last answer goes.
    static func delete(_ comment: VideoComment, _ db: any SQLConnection) throws {
        try setState(.deleted, of: comment.id, db)
        try ReportRows.forget(.comment, comment.id.text, db)
        let parent: Int64? = try db.firstValue(
            "SELECT parent FROM videoComment WHERE number = ?1", .integer(comment.number))
        guard try db.exists("SELECT 1 FROM videoComment WHERE parent = ?1", .integer(comment.number)) else {
            try db.execute("DELETE FROM videoComment WHERE number = ?1", .integer(comment.number))
            if let parent { try deleteEmpty(parent, db) }
            return
        }
        try db.execute(
            "UPDATE videoComment SET text = '', authorID = NULL WHERE number = ?1", .integer(comment.number))
    }

    /// Deletes what is left of a comment that was deleted, once it has no answers.
    private static func deleteEmpty(_ number: Int64, _ db: any SQLConnection) throws {
        try db.execute(
            """
            DELETE FROM videoComment WHERE number = ?1 AND state = 'deleted'
                AND NOT EXISTS (SELECT 1 FROM videoComment AS answer WHERE answer.parent = ?1)
            """, .integer(number))
    }

    /// Deletes the comments of somebody who leaves; with `keepsTexts` they stay, without a name.
    static func forget(_ member: UserID, keepsTexts: Bool, _ db: any SQLConnection) throws {
        guard !keepsTexts else {
            try db.execute("UPDATE videoComment SET authorID = NULL WHERE authorID = ?1", .text(member.text))
            return
        }
        var comments: [VideoComment]
        repeat {
            comments = try db.rows(
                "SELECT \(columns) FROM \(tables) WHERE k.authorID = ?1 ORDER BY k.writtenAt LIMIT ?2",
                [.text(member.text), SQLValue(batchSize)], comment)
            for comment in comments { try delete(comment, db) }
        } while comments.count == batchSize
    }

    private static let batchSize = 100
}
