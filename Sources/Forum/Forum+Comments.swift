package import Accounts
import Community
import Database
import MediaCore

extension Forum {
    /// Limit of the comments that a member writes in ``commentWindow``.
    package static let maximumCommentCount: Int64 = 30
    package static let commentWindow = Duration.seconds(600)

    /// The comments of a topic after a place, in the order in which they were written. Page N of the topic begins after
    /// the place (N − 1) × ``ForumComment/pageSize``.
    ///
    /// - Parameters:
    ///   - id: the ID of the topic.
    ///   - place: the number of the comment before the page; 0 for the first page.
    ///   - cursor: the `next` value of the page before, in place of a place.
    ///   - caller: the reader.
    ///   - isModerator: whether the reader may moderate.
    ///   - limit: number of comments, ``ForumComment/pageSize`` if `nil`, 100 at most.
    /// - Throws: `Refusal` with `notFound` or `invalidCursor`.
    package func comments(
        of id: OpaqueID, after place: Int64 = 0, cursor: String? = nil, for caller: Caller, isModerator: Bool,
        limit: Int? = nil
    ) async throws -> (topic: ForumTopic, page: ForumCommentPage) {
        let (reader, size) = (caller.principal.member?.id, ListPage<ForumComment>.size(limit))
        let start = try cursor.map { try ListCursor.number(parsing: $0) } ?? place
        return try await database.read { db in
            let topic = try TopicRows.required(id, reader: reader, isModerator: isModerator, db)
            let rows = try TopicCommentRows.comments(
                of: topic.number, after: start, reader: reader, isModerator: isModerator, limit: size + 1, db)
            let page = ListPage(rows, size: size) { ListCursor(number: $0.place).text }
            return (topic, ForumCommentPage(items: page.items, next: page.next))
        }
    }

    /// A comment with its whole text, and its topic.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func comment(
        _ id: OpaqueID, for caller: Caller, isModerator: Bool
    ) async throws -> (comment: ForumComment, topic: ForumTopic) {
        let reader = caller.principal.member?.id
        return try await database.read { db in
            try Self.comment(id, reader: reader, isModerator: isModerator, locks: false, db)
        }
    }

    /// A comment with its topic, which is locked first.
    ///
    /// - Throws: `Refusal` with `notFound`.
    static func comment(
        _ id: OpaqueID, reader: UserID?, isModerator: Bool, locks: Bool, _ db: any SQLConnection
    ) throws -> (comment: ForumComment, topic: ForumTopic) {
        let unknown = Refusal(.notFound, "there is no such comment")
        guard let first = try TopicCommentRows.comment(id, reader: reader, isModerator: isModerator, db) else {
            throw unknown
        }
        let topic = try TopicRows.required(
            first.topic, reader: reader, isModerator: isModerator, locks: locks, db)
        let comment =
            locks ? try TopicCommentRows.comment(id, reader: reader, isModerator: isModerator, db) : first
        let isOwn = reader != nil && comment?.author == reader
        guard let comment, comment.state == .shown || comment.state == .hidden && (isModerator || isOwn) else {
            throw unknown
        }
        return (comment, topic)
    }

    /// Comments in a topic.
    ///
    /// - Parameters:
    ///   - text: 1 character to 1 MB. A quote that begins with a line like `> #12 @ana` quotes the comment 12.
    ///   - id: the ID of the topic.
    ///   - notifies: whether members are notified of it.
    ///   - caller: the author.
    ///   - isModerator: whether the caller may moderate; moderators have no limits of time, and comment in locked
    ///     topics.
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `emptyField`, `invalidField`, `tooManyAttempts`, or
    ///   `conflict` if the topic is locked or the caller has not accepted the rules.
    package func comment(
        _ text: String, in id: OpaqueID, notifies: Bool, by caller: Caller, isModerator: Bool
    ) async throws -> ForumComment {
        let (author, now, new) = (try Community.member(caller).id, now, OpaqueID())
        let text = try ForumWriting.comment(text)
        try refuseHeldWords(in: text, "text")
        let contents = CommentContents(text)
        return try await database.write { db in
            let topic = try TopicRows.required(id, reader: author, isModerator: isModerator, locks: true, db)
            guard isModerator || !topic.isLocked else { throw Self.locked }
            try Self.requireAcceptance(author, db)
            if !isModerator { try Self.requireTime(for: author, at: now, db) }
            try TopicCommentRows.insert(
                contents, id: new, topic: topic.number, title: topic.title, author: author, notifies: notifies, at: now,
                db
            )
            try self.tell(.commented(new, topic: id, by: author, notifies: notifies), at: now, db)
            return try Self.comment(new, reader: author, isModerator: true, locks: false, db).comment
        }
    }

    /// Changes the text of one's own comment, which is shown as changed.
    ///
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `forbidden`, `emptyField`, `invalidField`, or `conflict` if
    ///   the topic is locked.
    package func edit(
        _ id: OpaqueID, _ text: String, by caller: Caller, isModerator: Bool
    ) async throws -> ForumComment {
        let (author, now, text) = (try Community.member(caller).id, now, try ForumWriting.comment(text))
        try refuseHeldWords(in: text, "text")
        let contents = CommentContents(text)
        return try await database.write { db in
            let (comment, topic) = try Self.comment(id, reader: author, isModerator: isModerator, locks: true, db)
            guard comment.author == author else {
                throw Refusal(.forbidden, "this comment belongs to another member")
            }
            guard isModerator || !topic.isLocked else { throw Self.locked }
            try TopicCommentRows.setText(contents, of: comment, topic: topic, at: now, db)
            try self.tell(.changed(topic: topic.id), at: now, db)
            return try Self.comment(id, reader: author, isModerator: true, locks: false, db).comment
        }
    }

    /// Deletes a comment: one's own, or as a moderator any. It keeps its place, without its text. The first comment of
    /// a topic goes with the topic.
    ///
    /// - Throws: `Refusal` with `notFound`, `forbidden`, or `conflict` for the first comment.
    package func deleteComment(_ id: OpaqueID, by caller: Caller, isModerator: Bool) async throws {
        let (reader, now) = (caller.principal.member?.id, now)
        try await database.write { db in
            let (comment, topic) = try Self.comment(id, reader: reader, isModerator: isModerator, locks: true, db)
            guard isModerator || reader != nil && comment.author == reader else {
                throw Refusal(.forbidden, "this comment belongs to another member")
            }
            guard comment.place != 1 else {
                throw Refusal(.conflict, "the first comment is the topic's; delete the topic")
            }
            try TopicCommentRows.setState(.deleted, of: comment, db)
            try self.tell(.changed(topic: topic.id), at: now, db)
        }
    }

    /// - Throws: `Refusal` with `tooManyAttempts` for a member who has written a lot just now.
    static func requireTime(for author: UserID, at now: WallClockTime, _ db: any SQLConnection) throws {
        guard try TopicCommentRows.count(of: author, in: commentWindow, until: now, db) < maximumCommentCount else {
            throw Refusal(
                .tooManyAttempts,
                "you have written \(maximumCommentCount) comments in 10 minutes; try again later",
                retryAfter: .seconds(Int64(commentWindow.seconds)))
        }
    }
}
