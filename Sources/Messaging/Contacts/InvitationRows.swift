import Accounts
import Database
import MediaCore

/// The rows of invitations. Each function runs inside the transaction of its caller.
enum InvitationRows {
    private static let (sender, receiver) = (JoinedAccount(as: "inviting"), JoinedAccount(as: "invited"))
    private static let selection = """
        SELECT i.number, i.id, i.text, i.sentAt, i.state, \(NamedMember.columns(of: sender, as: "sender")),
            \(NamedMember.columns(of: receiver, as: "receiver"))
        FROM contactInvitation AS i \(sender.join("i.senderID")) \(receiver.join("i.receiverID"))
        """

    private static func invitation(_ row: SQLRow) throws -> ContactInvitation? {
        guard let sender = try NamedMember.optional(row, "sender"),
            let receiver = try NamedMember.optional(row, "receiver"),
            let state = ContactInvitation.State(rawValue: try row.value("state"))
        else { return nil }
        return ContactInvitation(
            number: try row.value("number"), id: try row.value("id"), sender: sender, receiver: receiver,
            text: try row.value("text"), sentAt: try row.time("sentAt"), state: state)
    }

    static func insert(
        _ text: String, id: OpaqueID, from sender: UserID, to receiver: UserID, at now: WallClockTime,
        _ db: any SQLConnection
    ) throws {
        try db.insert(
            [
                "id": .text(id.text), "senderID": .text(sender.text), "receiverID": .text(receiver.text),
                "text": .text(text), "sentAt": .time(now), "state": .text(ContactInvitation.State.open.rawValue),
            ], into: MessagingSchema.invitations)
    }

    /// An invitation that somebody has sent or received; `nil` for everybody else.
    static func invitation(
        _ id: OpaqueID, of member: UserID, _ db: any SQLConnection
    ) throws -> ContactInvitation? {
        try db.first(
            "\(selection) WHERE i.id = ?1 AND (i.senderID = ?2 OR i.receiverID = ?2)",
            [.text(id.text), .text(member.text)], invitation) ?? nil
    }

    static let receivedStatement =
        "\(selection) WHERE i.receiverID = ?1 AND i.state = 'open' AND i.number < ?2 ORDER BY i.number DESC LIMIT ?3"

    /// The open invitations that a member has received, the last ones first.
    static func received(
        by member: UserID, before number: Int64, limit: Int, _ db: any SQLConnection
    ) throws -> [ContactInvitation] {
        try db.rows(receivedStatement, [.text(member.text), .integer(number), SQLValue(limit)], invitation)
            .compactMap(\.self)
    }

    static func openCount(to member: UserID, _ db: any SQLConnection) throws -> Int64 {
        try db.firstValue(
            """
            SELECT COUNT(*) FROM (SELECT 1 FROM contactInvitation WHERE receiverID = ?1 AND state = 'open' LIMIT 100)
                AS waiting
            """, .text(member.text)) ?? 0
    }

    static func open(
        from sender: UserID, to receiver: UserID, _ db: any SQLConnection
    ) throws -> OpaqueID? {
        try db.firstValue(
            "SELECT id FROM contactInvitation WHERE senderID = ?1 AND receiverID = ?2 AND state = 'open'",
            .text(sender.text), .text(receiver.text))
    }

    static func isRefused(
        from sender: UserID, to receiver: UserID, after time: WallClockTime, _ db: any SQLConnection
    ) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM contactInvitation
            WHERE senderID = ?1 AND receiverID = ?2 AND state = 'refused' AND answeredAt > ?3
            """, .text(sender.text), .text(receiver.text), .time(time))
    }

    static func count(
        by sender: UserID, in window: Duration, until now: WallClockTime, _ db: any SQLConnection
    ) throws -> Int64 {
        try db.firstValue(
            "SELECT COUNT(*) FROM contactInvitation WHERE senderID = ?1 AND sentAt > ?2 AND sentAt <= ?3",
            .text(sender.text), .time(now - window), .time(now)) ?? 0
    }

    /// Answers an open invitation.
    ///
    /// - Returns: `false` if it was answered before.
    static func answer(
        _ id: OpaqueID, _ state: ContactInvitation.State, at now: WallClockTime, _ db: any SQLConnection
    ) throws -> Bool {
        try db.execute(
            "UPDATE contactInvitation SET state = ?2, answeredAt = ?3 WHERE id = ?1 AND state = 'open'",
            .text(id.text), .text(state.rawValue), .time(now)) > 0
    }

    static func withdraw(_ id: OpaqueID, by sender: UserID, _ db: any SQLConnection) throws -> Bool {
        try db.execute(
            "DELETE FROM contactInvitation WHERE id = ?1 AND senderID = ?2 AND state = 'open'", .text(id.text),
            .text(sender.text)) > 0
    }

    /// The invitations that a member has sent and received, for the export of their data.
    static func all(of member: UserID, limit: Int, _ db: any SQLConnection) throws -> [ContactInvitation] {
        try db.rows(
            "\(selection) WHERE i.senderID = ?1 OR i.receiverID = ?1 ORDER BY i.number LIMIT ?2",
            [.text(member.text), SQLValue(limit)], invitation
        ).compactMap(\.self)
    }
}
