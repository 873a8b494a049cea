import Accounts
import Database
import MediaCore

/// The rows of the members of conversations. Each function runs inside the transaction of its caller.
enum ConversationMemberRows {
    private static let account = JoinedAccount(as: "each")

    static func insert(
        _ user: UserID, into conversation: Int64, role: ConversationRole = .member,
        state: ConversationState = .active, at now: WallClockTime, _ db: any SQLConnection
    ) throws -> Bool {
        // What was written before is not theirs to read.
        try db.execute(
            """
            INSERT INTO conversationMember(
                conversation, userID, role, state, joinedAt, firstSequence, deliveredSequence, readSequence)
            SELECT number, ?2, ?3, ?4, ?5, lastSequence, lastSequence, lastSequence FROM conversation WHERE number = ?1
            ON CONFLICT (conversation, userID) DO NOTHING
            """, .integer(conversation), .text(user.text), .text(role.rawValue), .text(state.rawValue), .time(now)) > 0
    }

    static func delete(_ user: UserID, from conversation: Int64, _ db: any SQLConnection) throws -> Bool {
        try db.execute(
            """
            DELETE FROM hiddenMessage WHERE userID = ?2
                AND message IN (SELECT number FROM conversationMessage WHERE conversation = ?1)
            """, .integer(conversation), .text(user.text))
        return try db.execute(
            "DELETE FROM conversationMember WHERE conversation = ?1 AND userID = ?2", .integer(conversation),
            .text(user.text)) > 0
    }

    static func users(of conversation: Int64, _ db: any SQLConnection) throws -> [UserID] {
        try db.rows(
            "SELECT userID FROM conversationMember WHERE conversation = ?1 ORDER BY userID", [.integer(conversation)]
        ) { row in try row.value("userID") }
    }

    static func role(
        of user: UserID, in conversation: Int64, _ db: any SQLConnection
    ) throws -> ConversationRole? {
        let text: String? = try db.firstValue(
            "SELECT role FROM conversationMember WHERE conversation = ?1 AND userID = ?2", .integer(conversation),
            .text(user.text))
        return text.flatMap(ConversationRole.init)
    }

    static func setRole(
        _ role: ConversationRole, of user: UserID, in conversation: Int64, _ db: any SQLConnection
    ) throws {
        try db.execute(
            "UPDATE conversationMember SET role = ?3 WHERE conversation = ?1 AND userID = ?2", .integer(conversation),
            .text(user.text), .text(role.rawValue))
    }

    static func setState(
        _ state: ConversationState, of user: UserID, in conversation: Int64, _ db: any SQLConnection
    ) throws {
        try db.execute(
            "UPDATE conversationMember SET state = ?3 WHERE conversation = ?1 AND userID = ?2", .integer(conversation),
            .text(user.text), .text(state.rawValue))
    }

    /// The states of the members of a conversation other than one.
    static func state(
        ofOthersThan user: UserID, in conversation: Int64, _ db: any SQLConnection
    ) throws -> [(user: UserID, state: ConversationState)] {
        try db.rows(
            "SELECT userID, state FROM conversationMember WHERE conversation = ?1 AND userID <> ?2 LIMIT 2",
            [.integer(conversation), .text(user.text)]
        ) { row in
            (user: try row.value("userID"), state: ConversationState(rawValue: try row.value("state")) ?? .refused)
        }
    }

    /// Puts a conversation into the list of a member who has opened it.
    static func list(_ conversation: Int64, of user: UserID, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE conversationMember SET isListed = 1, state = 'active' WHERE conversation = ?1 AND userID = ?2",
            .integer(conversation), .text(user.text))
    }

    static func setMuted(
        _ isMuted: Bool, of user: UserID, in conversation: Int64, _ db: any SQLConnection
    ) throws {
        try db.execute(
            "UPDATE conversationMember SET isMuted = ?3 WHERE conversation = ?1 AND userID = ?2",
            .integer(conversation), .text(user.text), .flag(isMuted))
    }

    /// Raises the marks of a member; they never fall, and never pass the last message.
    ///
    /// - Returns: `false` if nothing has changed.
    static func mark(
        delivered: Int64, read: Int64, of user: UserID, in conversation: Int64, _ db: any SQLConnection
    ) throws -> Bool {
        try db.execute(
            """
            UPDATE conversationMember SET
                deliveredSequence = CASE WHEN deliveredSequence < ?3 THEN ?3 ELSE deliveredSequence END,
                readSequence = CASE WHEN readSequence < ?4 THEN ?4 ELSE readSequence END
            WHERE conversation = ?1 AND userID = ?2 AND (deliveredSequence < ?3 OR readSequence < ?4)
            """, .integer(conversation), .text(user.text), .integer(delivered), .integer(read)) > 0
    }

    /// Deletes what a member sees of a conversation, for them alone.
    static func clear(_ conversation: Int64?, of user: UserID, _ db: any SQLConnection) throws {
        var arguments: [SQLValue] = [.text(user.text)]
        if let conversation { arguments.append(.integer(conversation)) }
        let condition = conversation == nil ? " AND state = 'active' AND isListed = 1" : " AND conversation = ?2"
        try db.execute(
            """
            UPDATE conversationMember SET isListed = 0,
                firstSequence = (SELECT lastSequence FROM conversation AS c WHERE c.number = conversationMember.conversation),
                readSequence = (SELECT lastSequence FROM conversation AS c WHERE c.number = conversationMember.conversation)
            WHERE userID = ?1\(condition)
            """, arguments)
    }

    /// Notes that something has changed for the members of a conversation, whose revisions were raised.
    ///
    /// - Parameters:
    ///   - conversation: the number of the conversation.
    ///   - user: the only member who is told; `nil` for all.
    ///   - isActivity: whether it is something new, with which the conversation comes to the beginning of lists.
    ///   - db: the connection.
    static func touch(
        _ conversation: Int64, user: UserID?, isActivity: Bool, _ db: any SQLConnection
    ) throws {
        let own = "(SELECT %@ FROM messagingMember AS s WHERE s.userID = conversationMember.userID)"
        let activity =
            isActivity
            ? ", activity = \(own.replacing("%@", with: "activity")), isListed = 1" : ""
        var arguments: [SQLValue] = [.integer(conversation)]
        if let user { arguments.append(.text(user.text)) }
        try db.execute(
            """
            UPDATE conversationMember SET revision = \(own.replacing("%@", with: "revision"))\(activity)
            WHERE conversation = ?1\(user == nil ? "" : " AND userID = ?2")
            """, arguments)
    }

    /// The members of a conversation in the order of their names, as one of them sees them.
    static func members(
        of conversation: Int64, for reader: UserID, _ db: any SQLConnection
    ) throws -> [ConversationMember] {
        let isShown = """
            COALESCE(theirs.sendsMarks, 1) = 1 AND COALESCE(own.sendsMarks, 1) = 1 AND m.state = 'active'
            """
        return try db.rows(
            """
            SELECT \(NamedMember.columns(of: account, as: "each")), m.role, m.joinedAt,
                CASE WHEN \(isShown) THEN m.deliveredSequence END AS delivered,
                CASE WHEN \(isShown) THEN m.readSequence END AS readThrough
            FROM conversationMember AS m \(account.join("m.userID"))
                LEFT JOIN messagingMember AS theirs ON theirs.userID = m.userID
                LEFT JOIN messagingMember AS own ON own.userID = ?2
            WHERE m.conversation = ?1 ORDER BY \(account.usernameKey) LIMIT \(MessagingLimits.groupMemberCount)
            """, [.integer(conversation), .text(reader.text)]
        ) { row in
            guard let member = try NamedMember.optional(row, "each") else { return nil }
            return ConversationMember(
                member: member, role: ConversationRole(rawValue: try row.value("role")) ?? .member,
                joinedAt: try row.time("joinedAt"), deliveredThrough: try row.optional("delivered"),
                readThrough: try row.optional("readThrough"))
        }.compactMap(\.self)
    }

    static func hasAdmin(_ conversation: Int64, _ db: any SQLConnection) throws -> Bool {
        try db.exists(
            "SELECT 1 FROM conversationMember WHERE conversation = ?1 AND role = 'admin'", .integer(conversation))
    }

    /// Makes the member who has been in a group for the longest time its admin, if it has none.
    static func promote(in conversation: Int64, _ db: any SQLConnection) throws {
        guard try !hasAdmin(conversation, db) else { return }
        try db.execute(
            """
            UPDATE conversationMember SET role = 'admin' WHERE conversation = ?1 AND userID = (
                SELECT userID FROM conversationMember WHERE conversation = ?1 ORDER BY joinedAt, userID LIMIT 1)
            """, .integer(conversation))
    }

    /// The conversations of a member, for the deletion of their account.
    static func conversations(of user: UserID, _ db: any SQLConnection) throws -> [Int64] {
        try db.rows(
            "SELECT conversation FROM conversationMember WHERE userID = ?1 ORDER BY conversation", [.text(user.text)]
        ) { row in try row.value("conversation") }
    }
}
