import Accounts
import Community
import Database
import MediaCore

/// The rows of topics. Each function runs inside the transaction of its caller.
enum TopicRows {
    static let account = JoinedAccount()

    /// The columns of a topic `t` with ``joins``.
    static let columns = """
        \(ForumSchema.topics.columnList(of: "t", without: "category", "kind", "titleKey", "isListed", "notifies")),
        \(account.username) AS authorName, \(account.photo) AS authorPhoto, c.number AS categoryNumber,
        c.id AS categoryID, c.kind AS categoryKind, c.subject AS categorySubject, c.name AS categoryName,
        c.text AS categoryText, c.place AS categoryPlace, c.topics AS categoryTopics
        """
    static let joins = """
        JOIN forumCategory AS c ON c.number = t.category
        \(account.leftJoin("t.authorID")) AND \(MemberRelations.isProfileShown(account.id))
        """

    static func topic(_ row: SQLRow) throws -> ForumTopic {
        let category = ForumCategory(
            number: try row.value("categoryNumber"), id: try row.value("categoryID"),
            kind: ForumCategory.Kind(rawValue: try row.value("categoryKind")) ?? .title,
            subject: try row.value("categorySubject"), name: try row.value("categoryName"),
            text: try row.value("categoryText"), place: try row.value("categoryPlace"),
            topics: try row.value("categoryTopics"))
        return ForumTopic(
            number: try row.value("number"), id: try row.value("id"), category: category,
            title: try row.value("title"), author: try row.optional("authorID"),
            authorName: try row.optional("authorName"), authorPhoto: try row.optional("authorPhoto"),
            // What a later version has written is not shown by this one.
            state: ForumTopic.State(rawValue: try row.value("state")) ?? .hidden, isLocked: try row.flag("isLocked"),
            isPinned: try row.flag("isPinned"), comments: try row.value("comments"), places: try row.value("places"),
            createdAt: try row.time("createdAt"), lastAt: try row.time("lastAt"),
            editedAt: try row.optionalTime("editedAt"), revision: try row.value("revision"))
    }

    static func topic(_ id: OpaqueID, _ db: any SQLConnection) throws -> ForumTopic? {
        try db.first("SELECT \(columns) FROM forumTopic AS t \(joins) WHERE t.id = ?1", [.text(id.text)], topic)
    }

    /// A topic that a reader may see. Its row is locked.
    ///
    /// - Throws: `Refusal` with `notFound`, also for one that is hidden, unless its author or a moderator asks.
    static func required(
        _ id: OpaqueID, reader: UserID?, isModerator: Bool, locks: Bool = false, _ db: any SQLConnection
    ) throws -> ForumTopic {
        if locks { try lock(id, db) }
        guard let topic = try topic(id, db), topic.state != .deleted,
            topic.state == .shown || isModerator || reader != nil && topic.author == reader
        else { throw Refusal(.notFound, "there is no such topic") }
        return topic
    }

    static func lock(_ id: OpaqueID, _ db: any SQLConnection) throws {
        guard !db.dialect.rowLock.isEmpty else { return }
        _ = try db.exists("SELECT 1 FROM forumTopic WHERE id = ?1\(db.dialect.rowLock)", .text(id.text))
    }

    /// The ID of the topic of a category with a title; `nil` if there is none.
    static func id(titled key: String, in category: Int64, _ db: any SQLConnection) throws -> (
        id: OpaqueID, title: String
    )? {
        try db.first(
            "SELECT id, title FROM forumTopic WHERE category = ?1 AND titleKey = ?2", [.integer(category), .text(key)]
        ) { row in (id: try row.value("id"), title: try row.value("title")) }
    }

    /// Number of topics that somebody has begun in a time until now.
    static func count(
        of author: UserID, in window: Duration, until now: WallClockTime, _ db: any SQLConnection
    ) throws -> Int64 {
        try db.firstValue(
            "SELECT COUNT(*) FROM forumTopic WHERE authorID = ?1 AND createdAt > ?2 AND createdAt <= ?3",
            .text(author.text), .time(now - window), .time(now)) ?? 0
    }

    /// - Returns: the row number.
    static func insert(
        _ title: String, id: OpaqueID, in category: ForumCategory, author: UserID, notifies: Bool,
        at now: WallClockTime, _ db: any SQLConnection
    ) throws -> Int64 {
        let number = try db.insertNumbered(
            [
                "id": .text(id.text), "category": .integer(category.number), "kind": "discussion",
                "title": .text(title), "titleKey": .text(ForumText.key(title)), "authorID": .text(author.text),
                "state": .text(ForumTopic.State.shown.rawValue), "isListed": .flag(category.kind == .general),
                "isLocked": 0, "isPinned": 0, "notifies": .flag(notifies), "comments": 0, "places": 0,
                "createdAt": .time(now), "lastAt": .time(now), "revision": 1,
            ], into: ForumSchema.topics)
        try CategoryRows.count(1, category.number, db)
        return number
    }

    /// Changes whether a topic is shown. One that is deleted frees its title.
    static func setState(_ state: ForumTopic.State, of topic: ForumTopic, _ db: any SQLConnection) throws {
        guard topic.state != state, topic.state != .deleted else { return }
        let isListed = state == .shown && topic.category.kind == .general
        try db.execute(
            """
            UPDATE forumTopic SET state = ?2, isListed = ?3, revision = revision + 1,
                titleKey = CASE WHEN ?2 = 'deleted' THEN id ELSE titleKey END
            WHERE number = ?1
            """, .integer(topic.number), .text(state.rawValue), .flag(isListed))
        if topic.state == .shown { try CategoryRows.count(-1, topic.category.number, db) }
        if state == .shown { try CategoryRows.count(1, topic.category.number, db) }
    }
}
