import Accounts
import Database
import MediaCore

/// The rows of conversations. Each function runs inside the transaction of its caller, and gives a member only the
/// conversations that they belong to.
enum ConversationRows {
    private static let other = JoinedAccount(as: "other")

    /// The columns of a conversation `c` for its member `m`; the other one of two is `o`.
    private static let selection = """
        SELECT c.number, c.id, c.kind, c.name, c.createdAt, c.lastSequence, c.lastChange, m.role, m.state, m.isMuted,
            m.readSequence, m.activity, m.revision, \(NamedMember.columns(of: other, as: "other")),
            (SELECT COUNT(*) FROM conversationMember AS each WHERE each.conversation = c.number) AS memberCount,
            (SELECT x.number FROM conversationMessage AS x
                WHERE x.conversation = c.number AND x.sequence > m.firstSequence AND \(MessageRows.isNotHidden)
                ORDER BY x.sequence DESC LIMIT 1) AS lastMessage,
            (SELECT COUNT(*) FROM (SELECT 1 FROM conversationMessage AS x
                WHERE x.conversation = c.number AND x.sequence > m.readSequence AND x.sequence > m.firstSequence
                    AND x.deletedAt IS NULL AND (x.senderID IS NULL OR x.senderID <> m.userID)
                LIMIT \(MessagingLimits.unreadCount)) AS counted) AS unread
        FROM conversationMember AS m JOIN conversation AS c ON c.number = m.conversation
            LEFT JOIN conversationMember AS o
                ON c.kind = 'pair' AND o.conversation = m.conversation AND o.userID <> m.userID
            \(other.leftJoin("o.userID"))
        """

    private static func conversation(_ row: SQLRow) throws -> Conversation? {
        guard let kind = ConversationKind(rawValue: try row.value("kind")),
            let role = ConversationRole(rawValue: try row.value("role")),
            let state = ConversationState(rawValue: try row.value("state"))
        else { return nil }
        return Conversation(
            number: try row.value("number"), id: try row.value("id"), kind: kind, name: try row.optional("name"),
            other: try NamedMember.optional(row, "other"), createdAt: try row.time("createdAt"),
            memberCount: try row.value("memberCount"), role: role, state: state, isMuted: try row.flag("isMuted"),
            lastSequence: try row.value("lastSequence"), lastChange: try row.value("lastChange"),
            readThrough: try row.value("readSequence"), unread: try row.value("unread"), lastMessage: nil,
            activity: try row.value("activity"), revision: try row.value("revision"),
            lastMessageNumber: try row.optional("lastMessage"))
    }

    private static func filled(
        _ conversations: [Conversation], for member: UserID, _ db: any SQLConnection
    ) throws -> [Conversation] {
        let messages = try MessageRows.messages(conversations.compactMap(\.lastMessageNumber), for: member, db)
        return conversations.map { conversation in
            var conversation = conversation
            conversation.lastMessage = conversation.lastMessageNumber.flatMap { messages[$0] }
            return conversation
        }
    }

    // MARK: Reading

    static func statement(_ list: ConversationList) -> String {
        switch list {
        case .recent:
            """
            \(selection) WHERE m.userID = ?1 AND m.activity < ?2 AND m.isListed = 1 AND m.state = 'active'
                AND m.firstSequence < c.lastSequence
            ORDER BY m.activity DESC LIMIT ?3
            """
        case .requests:
            """
            \(selection) WHERE m.userID = ?1 AND m.activity < ?2 AND m.isListed = 1 AND m.state = 'request'
            ORDER BY m.activity DESC LIMIT ?3
            """
        case .all:
            """
            \(selection) WHERE m.userID = ?1 AND m.conversation < ?2 AND m.state = 'active'
                AND (c.kind = 'group' OR m.isListed = 1)
            ORDER BY m.conversation DESC LIMIT ?3
            """
        }
    }

    /// A page of a member's conversations.
    ///
    /// - Parameters:
    ///   - list: the list.
    ///   - member: the member.
    ///   - place: the activity, or in the list of all the number, before which the page begins.
    ///   - limit: number of conversations.
    ///   - db: the connection.
    static func page(
        _ list: ConversationList, of member: UserID, before place: Int64, limit: Int, _ db: any SQLConnection
    ) throws -> [Conversation] {
        let found = try db.rows(
            statement(list), [.text(member.text), .integer(place), SQLValue(limit)], conversation
        ).compactMap(\.self)
        return try filled(found, for: member, db)
    }

    static let changeStatement = "\(selection) WHERE m.userID = ?1 AND m.revision > ?2 ORDER BY m.revision LIMIT ?3"

    /// The conversations of a member in which something has changed after a revision.
    static func changes(
        of member: UserID, after revision: Int64, limit: Int, _ db: any SQLConnection
    ) throws -> [Conversation] {
        let found = try db.rows(
            changeStatement, [.text(member.text), .integer(revision), SQLValue(limit)], conversation
        ).compactMap(\.self)
        return try filled(found.filter { $0.state != .refused }, for: member, db)
    }

    /// A conversation of a member; `nil` if there is none with the ID, or the member does not belong to it.
    static func conversation(
        _ id: OpaqueID, of member: UserID, _ db: any SQLConnection
    ) throws -> Conversation? {
        let found = try db.first(
            "\(selection) WHERE m.userID = ?1 AND c.id = ?2", [.text(member.text), .text(id.text)], conversation)
        guard let found = found ?? nil else { return nil }
        return try filled([found], for: member, db).first
    }

    /// The number of conversations with something unread, counted up to a limit.
    static func unreadCount(
        of member: UserID, _ state: ConversationState, limit: Int, _ db: any SQLConnection
    ) throws -> Int64 {
        try db.firstValue(
            """
            SELECT COUNT(*) FROM (SELECT 1 FROM conversationMember AS m
                JOIN conversation AS c ON c.number = m.conversation
                WHERE m.userID = ?1 AND m.state = ?2 AND m.isListed = 1 AND m.isMuted = 0
                    AND m.readSequence < c.lastSequence AND m.firstSequence < c.lastSequence LIMIT ?3) AS counted
            """, .text(member.text), .text(state.rawValue), SQLValue(limit)) ?? 0
    }

    static func count(of member: UserID, _ db: any SQLConnection) throws -> Int64 {
        try db.firstValue("SELECT COUNT(*) FROM conversationMember WHERE userID = ?1", .text(member.text)) ?? 0
    }

    // MARK: Writing

    /// Has others who lock the conversation wait until the end of the transaction. SQLite has one writer anyway.
    static func lock(_ conversation: Int64, _ db: any SQLConnection) throws {
        guard !db.dialect.rowLock.isEmpty else { return }
        _ = try db.exists(
            "SELECT 1 FROM conversation WHERE number = ?1\(db.dialect.rowLock)", .integer(conversation))
    }

    /// The key of a conversation of two, whichever of them asks.
    static func pairKey(_ first: UserID, _ second: UserID) -> String {
        [first.text, second.text].sorted().joined(separator: "/")
    }

    static func pair(_ key: String, _ db: any SQLConnection) throws -> Int64? {
        try db.firstValue("SELECT number FROM conversation WHERE pairKey = ?1", .text(key))
    }

    static func id(_ number: Int64, _ db: any SQLConnection) throws -> OpaqueID? {
        try db.firstValue("SELECT id FROM conversation WHERE number = ?1", .integer(number))
    }

    static func insert(
        _ kind: ConversationKind, name: String? = nil, pairKey: String? = nil, id: OpaqueID, by creator: UserID,
        at now: WallClockTime, _ db: any SQLConnection
    ) throws -> Int64 {
        try db.insertNumbered(
            [
                "id": .text(id.text), "kind": .text(kind.rawValue), "pairKey": SQLValue(pairKey),
                "name": SQLValue(name), "createdAt": .time(now), "creatorID": .text(creator.text), "lastSequence": 0,
                "lastChange": 0,
            ], into: MessagingSchema.conversations)
    }

    static func setName(_ name: String, _ conversation: Int64, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE conversation SET name = ?2 WHERE number = ?1", .integer(conversation), .text(name))
    }

    /// Takes the IDs of both members out of a conversation of two of which one is leaving.
    static func forgetPair(_ conversation: Int64, _ db: any SQLConnection) throws {
        try db.execute("UPDATE conversation SET pairKey = NULL WHERE number = ?1", .integer(conversation))
    }

    /// Deletes a conversation with all messages.
    static func delete(_ conversation: Int64, _ db: any SQLConnection) throws {
        try MessageWords.delete(allOf: conversation, db)
        try db.execute("DELETE FROM conversation WHERE number = ?1", .integer(conversation))
    }
}
