package import Accounts
import Community
import Database
package import MediaCore

extension Forum {
    /// Limit of the topics that a member begins in ``topicWindow``.
    package static let maximumTopicCount: Int64 = 10
    package static let topicWindow = Duration.seconds(3_600)

    /// A page of topics, the ones with the last comments first.
    ///
    /// - Parameters:
    ///   - category: the ID of the category, whose pinned topics come first; `nil` for the topics of all categories of
    ///     the operators.
    ///   - cursor: the `next` or `previous` value of another page; `nil` for an end of the list.
    ///   - fromEnd: whether the list is read from its other end if there is no cursor.
    ///   - limit: number of topics, ``ForumTopic/pageSize`` if `nil`, 100 at most.
    /// - Throws: `Refusal` with `notFound` or `invalidCursor`.
    package func topics(
        in category: OpaqueID? = nil, after cursor: String? = nil, fromEnd: Bool = false, limit: Int? = nil
    ) async throws -> ForumTopicPage {
        let size = min(max(limit ?? ForumTopic.pageSize, 1), ListLimits.maximumSize)
        let start = try cursor.map { try TopicCursor(parsing: $0) }
        let isForward = start?.isForward ?? !fromEnd
        var rows = try await database.read { db in
            let number = try category.map { try CategoryRows.required($0, db).number }
            let list = TopicList(category: number, after: start, isForward: isForward, limit: size + 1)
            return try db.rows(list.sql, list.arguments, TopicRows.topic)
        }
        let hasMore = rows.count > size
        rows = Array(rows.prefix(size))
        if !isForward { rows.reverse() }
        let (isAfterOthers, hasOthersAfter) = isForward ? (start != nil, hasMore) : (hasMore, start != nil)
        return ForumTopicPage(
            items: rows,
            next: hasOthersAfter ? rows.last.map { TopicCursor(isForward: true, of: $0).text } : nil,
            previous: isAfterOthers ? rows.first.map { TopicCursor(isForward: false, of: $0).text } : nil)
    }

    /// - Throws: `Refusal` with `notFound`, also for one that is hidden, unless its author or a moderator asks.
    package func topic(_ id: OpaqueID, for caller: Caller, isModerator: Bool) async throws -> ForumTopic {
        let reader = caller.principal.member?.id
        return try await database.read { db in
            try TopicRows.required(id, reader: reader, isModerator: isModerator, db)
        }
    }

    /// Begins a topic with its first comment.
    ///
    /// - Parameters:
    ///   - title: its title; see ``ForumTopic/titleLengths``.
    ///   - text: the first comment.
    ///   - category: the ID of the category.
    ///   - notifies: whether members are notified of it.
    ///   - caller: the author.
    ///   - isModerator: whether the caller may moderate; moderators have no limits of time.
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `emptyField`, `invalidField`, `tooManyAttempts`, or
    ///   `conflict`: with the topic that has the title in `Refusal.facts`, or if the caller has not accepted the
    ///   rules.
    package func begin(
        _ title: String, text: String, in category: OpaqueID, notifies: Bool, by caller: Caller, isModerator: Bool
    ) async throws -> ForumTopic {
        let (author, now) = (try Community.member(caller).id, now)
        let (title, text) = (try ForumWriting.title(title), try ForumWriting.comment(text))
        try refuseHeldWords(in: title, "title")
        try refuseHeldWords(in: text, "text")
        let (id, comment, contents) = (OpaqueID(), OpaqueID(), CommentContents(text))
        return try await database.write { db in
            let category = try CategoryRows.required(category, locks: true, db)
            try Self.requireAcceptance(author, db)
            try Self.requireFree(title, in: category.number, except: nil, db)
            if !isModerator {
                guard
                    try TopicRows.count(of: author, in: Self.topicWindow, until: now, db) < Self.maximumTopicCount
                else {
                    throw Refusal(
                        .tooManyAttempts, "you have begun \(Self.maximumTopicCount) topics in an hour; try again later",
                        retryAfter: .seconds(Int64(Self.topicWindow.seconds)))
                }
                try Self.requireTime(for: author, at: now, db)
            }
            let number = try TopicRows.insert(
                title, id: id, in: category, author: author, notifies: notifies, at: now, db)
            try TopicCommentRows.insert(
                contents, id: comment, topic: number, title: title, author: author, notifies: notifies, at: now, db)
            try self.tell(.began(topic: id, by: author, notifies: notifies), at: now, db)
            return try TopicRows.required(id, reader: author, isModerator: true, db)
        }
    }

    /// Changes a topic: its title as its author or a moderator, everything else as a moderator.
    ///
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `forbidden`, `emptyField`, `invalidField`, or `conflict` as
    ///   ``begin(_:text:in:notifies:by:isModerator:)``, and for the title of a locked topic.
    package func change(
        _ id: OpaqueID, _ change: ForumTopicChange, by caller: Caller, isModerator: Bool
    ) async throws -> ForumTopic {
        let (reader, now) = (caller.principal.member?.id, now)
        var change = change
        if let title = change.title {
            change.title = try ForumWriting.title(title)
            try refuseHeldWords(in: title, "title")
        }
        guard isModerator || !change.isForModerators else {
            throw Refusal(.forbidden, "only moderators can lock, pin and move topics")
        }
        return try await database.write { [change] db in
            let topic = try TopicRows.required(id, reader: reader, isModerator: isModerator, locks: true, db)
            guard isModerator || reader != nil && topic.author == reader else {
                throw Refusal(.forbidden, "this topic belongs to another member")
            }
            guard isModerator || !topic.isLocked else { throw Self.locked }
            try Self.apply(change, to: topic, at: now, db)
            try self.tell(.changed(topic: id), at: now, db)
            return try TopicRows.required(id, reader: reader, isModerator: isModerator, db)
        }
    }

    private static func apply(
        _ change: ForumTopicChange, to topic: ForumTopic, at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        var category = topic.category
        if let id = change.category, id != category.id {
            category = try CategoryRows.required(id, db)
            guard category.kind == .general else {
                throw Refusal(.invalidField, "topics are moved to categories of the operators", field: "category")
            }
        }
        let title = change.title ?? topic.title
        try requireFree(title, in: category.number, except: topic.id, db)
        try db.execute(
            """
            UPDATE forumTopic SET category = ?2, title = ?3, titleKey = ?4, isLocked = ?5, isPinned = ?6, isListed = ?7,
                editedAt = ?8, revision = revision + 1
            WHERE number = ?1
            """, .integer(topic.number), .integer(category.number), .text(title), .text(ForumText.key(title)),
            .flag(change.isLocked ?? topic.isLocked), .flag(change.isPinned ?? topic.isPinned),
            .flag(topic.state == .shown && category.kind == .general),
            .time(title == topic.title ? topic.editedAt : now))
        if title != topic.title { try TopicCommentRows.index(title: title, of: topic.number, db) }
        if category.number != topic.category.number, topic.state == .shown {
            try CategoryRows.count(-1, topic.category.number, db)
            try CategoryRows.count(1, category.number, db)
        }
    }

    /// Deletes a topic: as a moderator any, as its author one without comments of others. Its comments are removed by
    /// ``sweep()``.
    ///
    /// - Throws: `Refusal` with `notFound`, `forbidden`, or `conflict` for an author whose topic others talk in.
    package func deleteTopic(_ id: OpaqueID, by caller: Caller, isModerator: Bool) async throws {
        let (reader, now) = (caller.principal.member?.id, now)
        try await database.write { db in
            let topic = try TopicRows.required(id, reader: reader, isModerator: isModerator, locks: true, db)
            guard isModerator || reader != nil && topic.author == reader else {
                throw Refusal(.forbidden, "this topic belongs to another member")
            }
            let hasOthers = try db.exists(
                "SELECT 1 FROM forumParticipant WHERE topic = ?1 AND userID <> ?2", .integer(topic.number),
                .text(reader?.text ?? ""))
            guard isModerator || !hasOthers else {
                throw Refusal(.conflict, "others have commented in this topic; ask a moderator to delete it")
            }
            try self.remove(topic, at: now, db)
        }
    }

    /// Marks a topic as deleted, so that nobody sees it any more.
    func remove(_ topic: ForumTopic, at now: WallClockTime, _ db: any SQLConnection) throws {
        try TopicRows.setState(.deleted, of: topic, db)
        try db.execute("DELETE FROM forumFollow WHERE scope = 'topic' AND subject = ?1", .integer(topic.number))
        try tell(.removed(topic: topic.id), at: now, db)
    }

    // MARK: For the calls in the other files

    /// A topic in which only moderators may comment.
    package static let locked = Refusal(.conflict, "this topic is locked")

    /// - Throws: `Refusal` with `conflict`, which names the topic that has the title.
    private static func requireFree(
        _ title: String, in category: Int64, except own: OpaqueID?, _ db: any SQLConnection
    ) throws {
        guard let other = try TopicRows.id(titled: ForumText.key(title), in: category, db), other.id != own else {
            return
        }
        var refusal = Refusal(
            .conflict, "a topic with this title exists already: \(Refusal.quoted(other.title))", field: "title")
        refusal.facts = ["topic": .text(other.id.text), "topicTitle": .text(other.title)]
        throw refusal
    }
}
