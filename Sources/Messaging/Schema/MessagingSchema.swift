import Accounts
package import Database

/// The tables of contacts, conversations and messages. Times are milliseconds since 1970 in UTC.
///
/// A conversation numbers its messages (`sequence`) and everything that changes in them (`change`) in the transaction
/// that holds its row, so that both numbers rise without gaps and in the order of the commits.
package enum MessagingSchema {
    static let textTable = "conversationText"

    /// The choices of members, and the number of the last change of their conversations and contacts.
    static let members = SQLTable(
        "messagingMember",
        [
            .text("userID", .account), .integer("revision", .default(0)), .integer("activity", .default(0)),
            .integer("sharesPresence", .default(1)), .integer("sendsMarks", .default(1)),
            .integer("isFoundByEmail", .default(0)), .text("phoneKey", .optional), .integer("seenAt", .optional),
        ], key: ["userID"],
        indexes: [SQLIndex("messagingMember_phone", "phoneKey", where: "phoneKey IS NOT NULL")])

    static let invitations = SQLTable(
        "contactInvitation",
        [
            .identity("number"), .text("id", .unique), .text("senderID", .account), .text("receiverID", .account),
            .text("text"), .integer("sentAt"), .text("state"), .integer("answeredAt", .optional),
        ],
        indexes: [
            SQLIndex.unique("contactInvitation_open", "senderID", "receiverID", where: "state = 'open'"),
            SQLIndex("contactInvitation_receiver", "receiverID", "number", where: "state = 'open'"),
            SQLIndex("contactInvitation_to", "receiverID"),
            SQLIndex("contactInvitation_sender", "senderID", "sentAt"),
        ])

    /// Two rows for each pair.
    static let contacts = SQLTable(
        "contact", [.text("userID", .account), .text("otherID", .account), .integer("madeAt")],
        key: ["userID", "otherID"], indexes: [SQLIndex("contact_other", "otherID")])

    /// `pairKey` has both members of a conversation of two; `name` is that of a group.
    static let conversations = SQLTable(
        "conversation",
        [
            .identity("number"), .text("id", .unique), .text("kind"), .text("pairKey", .optional, .unique),
            .text("name", .optional), .integer("createdAt"), .text("creatorID", .optional, .account(.setNull)),
            .integer("lastSequence"), .integer("lastChange"),
        ], indexes: [SQLIndex("conversation_creator", "creatorID")])

    /// The members of conversations. Messages up to `firstSequence` are not theirs to read: they came before, or were
    /// deleted by the member. `activity` orders the conversations of a member by their last message.
    static let conversationMembers = SQLTable(
        "conversationMember",
        [
            .integer("conversation", .references("conversation", "number", .cascade)), .text("userID", .account),
            .text("role"), .text("state"), .integer("joinedAt"), .integer("firstSequence"),
            .integer("deliveredSequence"), .integer("readSequence"), .integer("isMuted", .default(0)),
            .integer("isListed", .default(0)), .integer("activity", .default(0)), .integer("revision", .default(0)),
        ], key: ["conversation", "userID"],
        indexes: [
            SQLIndex("conversationMember_activity", "userID", "activity"),
            SQLIndex("conversationMember_number", "userID", "conversation"),
            SQLIndex("conversationMember_revision", "userID", "revision"),
        ])

    static let messages = SQLTable(
        "conversationMessage",
        [
            .identity("number"), .integer("conversation", .references("conversation", "number", .cascade)),
            .integer("sequence"), .integer("change"), .text("clientID"),
            .text("senderID", .optional, .account(.setNull)), .text("kind"), .text("text"),
            .text("subjectID", .optional, .account(.setNull)), .real("latitude", .optional),
            .real("longitude", .optional), .integer("sentAt"), .integer("deletedAt", .optional),
        ], uniques: [["conversation", "sequence"], ["conversation", "senderID", "clientID"]],
        indexes: [
            SQLIndex("conversationMessage_change", "conversation", "change"),
            SQLIndex("conversationMessage_sender", "senderID", "sentAt"),
            SQLIndex("conversationMessage_subject", "subjectID", where: "subjectID IS NOT NULL"),
        ])

    /// Messages that a member has deleted for themselves.
    static let hidden = SQLTable(
        "hiddenMessage",
        [
            .text("userID", .account), .integer("message", .references("conversationMessage", "number", .cascade)),
        ], key: ["userID", "message"], indexes: [SQLIndex("hiddenMessage_message", "message")])

    package static let schema = SQLSchema(
        domain: "messaging",
        tables: [members, invitations, contacts, conversations, conversationMembers, messages, hidden],
        fullTextTables: [textTable]
    ) { db in try rebuildSearch(db) }

    private static let batchSize = 1_000

    private static func rebuildSearch(_ db: any SQLConnection) throws {
        try db.execute("DELETE FROM \(textTable)")
        var last: Int64 = 0
        while true {
            let rows = try db.rows(
                "SELECT number, text FROM conversationMessage WHERE number > ?1 ORDER BY number LIMIT ?2",
                [.integer(last), SQLValue(batchSize)]
            ) { row in (number: try row.value("number") as Int64, text: try row.value("text") as String) }
            for row in rows { try MessageWords.insert(row.text, of: row.number, db) }
            guard let end = rows.last, rows.count == batchSize else { return }
            last = end.number
        }
    }
}
