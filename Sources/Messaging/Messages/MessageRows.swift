import Accounts
import Database
import MediaCore

/// The rows of messages. Each function runs inside the transaction of its caller.
///
/// All that is read for a member goes through ``readable``, so that no statement gives away what is not theirs.
enum MessageRows {
    private static let (sender, subject) = (JoinedAccount(as: "sending"), JoinedAccount(as: "subject"))

    /// A member's messages: those of conversations that they belong to, after the place at which theirs begin, and
    /// without those that they have deleted for themselves. The member is `?1`.
    private static let readable = """
        SELECT x.number, c.id AS conversationID, x.sequence, x.change, x.clientID, x.kind, x.text, x.latitude,
            x.longitude, x.sentAt, x.deletedAt, \(NamedMember.columns(of: sender, as: "sender")),
            \(NamedMember.columns(of: subject, as: "subject"))
        FROM conversationMember AS m JOIN conversation AS c ON c.number = m.conversation
            JOIN conversationMessage AS x ON x.conversation = m.conversation AND x.sequence > m.firstSequence
            \(sender.leftJoin("x.senderID")) \(subject.leftJoin("x.subjectID"))
        WHERE m.userID = ?1 AND \(isNotHidden)
        """

    /// The condition that a member `m` has not deleted the message `x` for themselves.
    static let isNotHidden =
        "NOT EXISTS (SELECT 1 FROM hiddenMessage AS h WHERE h.userID = m.userID AND h.message = x.number)"

    private static func message(_ row: SQLRow) throws -> ConversationMessage? {
        // A later version may have stored something that this one does not know.
        guard let kind = MessageKind(rawValue: try row.value("kind")) else { return nil }
        return ConversationMessage(
            number: try row.value("number"), conversation: try row.value("conversationID"),
            sequence: try row.value("sequence"), change: try row.value("change"),
            clientID: try row.value("clientID"), sender: try NamedMember.optional(row, "sender"), kind: kind,
            text: try row.value("text"), subject: try NamedMember.optional(row, "subject"),
            latitude: try row.optional("latitude"), longitude: try row.optional("longitude"),
            sentAt: try row.time("sentAt"), isDeleted: try row.optional("deletedAt") as Int64? != nil)
    }

    // MARK: Reading

    static let pageStatement =
        "\(readable) AND m.conversation = ?2 AND x.sequence < ?3 ORDER BY x.sequence DESC LIMIT ?4"

    /// The messages of a conversation before one, the last ones first.
    static func page(
        _ conversation: Int64, of member: UserID, before sequence: Int64, limit: Int, _ db: any SQLConnection
    ) throws -> [ConversationMessage] {
        try db.rows(
            pageStatement, [.text(member.text), .integer(conversation), .integer(sequence), SQLValue(limit)], message
        ).compactMap(\.self)
    }

    static let changeStatement =
        "\(readable) AND m.conversation = ?2 AND x.change > ?3 ORDER BY x.change LIMIT ?4"

    /// The messages of a conversation that are new or have changed after a change, in the order of the changes.
    static func changes(
        _ conversation: Int64, of member: UserID, after change: Int64, limit: Int, _ db: any SQLConnection
    ) throws -> [ConversationMessage] {
        try db.rows(
            changeStatement, [.text(member.text), .integer(conversation), .integer(change), SQLValue(limit)], message
        ).compactMap(\.self)
    }

    static func message(
        _ sequence: Int64, of conversation: Int64, for member: UserID, _ db: any SQLConnection
    ) throws -> ConversationMessage? {
        try db.first(
            "\(readable) AND m.conversation = ?2 AND x.sequence = ?3",
            [.text(member.text), .integer(conversation), .integer(sequence)], message) ?? nil
    }

    static func message(_ number: Int64, for member: UserID, _ db: any SQLConnection) throws -> ConversationMessage? {
        try db.first("\(readable) AND x.number = ?2", [.text(member.text), .integer(number)], message) ?? nil
    }

    /// The messages with some row numbers, as far as the member may read them.
    static func messages(
        _ numbers: [Int64], for member: UserID, _ db: any SQLConnection
    ) throws -> [Int64: ConversationMessage] {
        guard !numbers.isEmpty else { return [:] }
        let places = numbers.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
        let rows = try db.rows(
            "\(readable) AND x.number IN (\(places))", [.text(member.text)] + numbers.map(SQLValue.integer), message
        ).compactMap(\.self)
        return Dictionary(rows.map { ($0.number, $0) }) { first, _ in first }
    }

    /// The messages of a member's conversations that contain words, the last ones first.
    ///
    /// - Parameters:
    ///   - words: the words.
    ///   - conversation: the only conversation that is searched; `nil` for all.
    ///   - member: the reader.
    ///   - number: the row number before which the page begins.
    ///   - limit: number of messages.
    ///   - db: the connection.
    static func search(
        _ words: FullTextQuery, in conversation: Int64?, for member: UserID, before number: Int64, limit: Int,
        _ db: any SQLConnection
    ) throws -> [ConversationMessage] {
        let matches = db.dialect.fullTextMatches(in: MessagingSchema.textTable, parameter: 2)
        var arguments: [SQLValue] = [
            .text(member.text), words.argument(for: db.dialect), .integer(number), SQLValue(limit),
        ]
        var condition = ""
        if let conversation {
            arguments.append(.integer(conversation))
            condition = " AND m.conversation = ?5"
        }
        return try db.rows(
            """
            \(readable)\(condition) AND x.number IN (\(matches)) AND x.number < ?3 AND x.deletedAt IS NULL
            ORDER BY x.number DESC LIMIT ?4
            """, arguments, message
        ).compactMap(\.self)
    }

    // MARK: Writing

    /// The row number of the message that a client has sent before; `nil` if it has not.
    static func number(
        of clientID: String, by sender: UserID, in conversation: Int64, _ db: any SQLConnection
    ) throws -> Int64? {
        try db.firstValue(
            "SELECT number FROM conversationMessage WHERE conversation = ?1 AND senderID = ?2 AND clientID = ?3",
            .integer(conversation), .text(sender.text), .text(clientID))
    }

    /// The values of a new row.
    struct NewRow {
        var clientID: String
        var kind: MessageKind
        var text = ""
        var subject: UserID?
        var latitude: Double?
        var longitude: Double?
    }

    /// Stores a message as the next one of its conversation, whose row the caller's transaction holds.
    ///
    /// - Returns: the row number.
    static func insert(
        _ new: NewRow, into conversation: Int64, by sender: UserID, at now: WallClockTime, _ db: any SQLConnection
    ) throws -> (number: Int64, sequence: Int64) {
        let place = try db.first(
            """
            UPDATE conversation SET lastSequence = lastSequence + 1, lastChange = lastChange + 1 WHERE number = ?1
            RETURNING lastSequence, lastChange
            """, [.integer(conversation)]
        ) { row in
            (sequence: try row.value("lastSequence") as Int64, change: try row.value("lastChange") as Int64)
        }
        guard let place else { throw SQLError(.unexpectedValue, "a conversation was deleted while it was locked") }
        let number = try db.insertNumbered(
            [
                "conversation": .integer(conversation), "sequence": .integer(place.sequence),
                "change": .integer(place.change), "clientID": .text(new.clientID), "senderID": .text(sender.text),
                "kind": .text(new.kind.rawValue), "text": .text(new.text), "subjectID": SQLValue(new.subject?.text),
                "latitude": new.latitude.map { .real($0) } ?? .null,
                "longitude": new.longitude.map { .real($0) } ?? .null, "sentAt": .time(now),
            ], into: MessagingSchema.messages)
        if new.kind == .text || new.kind == .place { try MessageWords.insert(new.text, of: number, db) }
        return (number, place.sequence)
    }

    static func count(
        by sender: UserID, in window: Duration, until now: WallClockTime, _ db: any SQLConnection
    ) throws -> Int64 {
        try db.firstValue(
            "SELECT COUNT(*) FROM conversationMessage WHERE senderID = ?1 AND sentAt > ?2 AND sentAt <= ?3",
            .text(sender.text), .time(now - window), .time(now)) ?? 0
    }

    static func count(by sender: UserID, in conversation: Int64, _ db: any SQLConnection) throws -> Int64 {
        try db.firstValue(
            "SELECT COUNT(*) FROM conversationMessage WHERE conversation = ?1 AND senderID = ?2",
            .integer(conversation), .text(sender.text)) ?? 0
    }

    /// Takes the content out of a message, for everybody.
    static func delete(
        _ message: ConversationMessage, of conversation: Int64, at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        let change: Int64? = try db.firstValue(
            "UPDATE conversation SET lastChange = lastChange + 1 WHERE number = ?1 RETURNING lastChange",
            .integer(conversation))
        try db.execute(
            """
            UPDATE conversationMessage SET text = '', subjectID = NULL, latitude = NULL, longitude = NULL,
                deletedAt = ?2, change = ?3
            WHERE number = ?1
            """, .integer(message.number), .time(now), .integer(change ?? message.change))
        try MessageWords.delete(message.number, db)
    }

    static func hide(_ message: Int64, from member: UserID, _ db: any SQLConnection) throws {
        try db.insert(
            ["userID": .text(member.text), "message": .integer(message)], into: MessagingSchema.hidden,
            "ON CONFLICT (userID, message) DO NOTHING")
    }

    /// The messages of a member's conversations after a row number, in the order of the numbers, for the export of
    /// their data.
    static func all(
        of member: UserID, after number: Int64, limit: Int, _ db: any SQLConnection
    ) throws -> [ConversationMessage] {
        try db.rows(
            "\(readable) AND x.number > ?2 ORDER BY x.number LIMIT ?3",
            [.text(member.text), .integer(number), SQLValue(limit)], message
        ).compactMap(\.self)
    }
}
