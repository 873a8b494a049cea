import Accounts
import Database
import MediaCore

/// The rows of moderators' decisions about members. Each function runs inside the transaction of its caller.
enum RecordRows {
    static func add(
        _ event: ModerationRecord.Event, about item: ModeratedItem, _ text: String, by moderator: String,
        at now: WallClockTime, _ db: any SQLConnection
    ) throws {
        guard let owner = item.owner else { return }
        try db.insert(
            [
                "userID": .text(owner.text), "event": .text(event.rawValue), "kind": .text(item.kind.rawValue),
                "subject": .text(item.subject.text), "text": .text(text), "moderator": .text(moderator),
                "happenedAt": .time(now),
            ], into: ModerationSchema.records)
    }

    /// The records about a member, the last ones first.
    static func records(
        of member: UserID, before number: Int64 = .max, limit: Int, _ db: any SQLConnection
    ) throws -> [ModerationRecord] {
        try db.rows(
            """
            SELECT \(ModerationSchema.records.columnList) FROM moderationRecord
            WHERE userID = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3
            """, [.text(member.text), .integer(number), SQLValue(limit)]
        ) { row in try record(row) }.compactMap(\.self)
    }

    private static func record(_ row: SQLRow) throws -> ModerationRecord? {
        guard let event = ModerationRecord.Event(rawValue: try row.value("event")),
            let kind = ReportedKind(rawValue: try row.value("kind"))
        else { return nil }
        return ModerationRecord(
            number: try row.value("number"), event: event, kind: kind, subject: try row.value("subject"),
            text: try row.value("text"),
            moderator: try row.value("moderator"), happenedAt: try row.time("happenedAt"))
    }

    /// The last records about some members.
    static func records(of members: [UserID], _ db: any SQLConnection) throws -> [UserID: [ModerationRecord]] {
        let rows = try db.rows(
            """
            SELECT \(ModerationSchema.records.columnList) FROM (
                SELECT *, ROW_NUMBER() OVER (PARTITION BY userID ORDER BY number DESC) AS place
                FROM moderationRecord WHERE userID IN (\(SQLParameters.list(members.count)))) AS listed
            WHERE place <= \(ModerationRecord.maximumListedCount) ORDER BY number DESC
            """, members.map { .text($0.text) }
        ) { row in (member: try row.value("userID") as UserID, record: try record(row)) }
        return Dictionary(grouping: rows, by: \.member).mapValues { $0.compactMap(\.record) }
    }
}
