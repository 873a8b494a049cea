import Accounts
import Database
import MediaCore

/// The rows of deeds. Each function runs inside the transaction of its caller.
enum DeedRows {
    /// Writes a deed, unless it is there already. One that was withheld waits again, and those who were told of it
    /// before are not told again.
    static func insert(_ deed: Deed, at time: WallClockTime, _ db: any SQLConnection) throws {
        try db.execute(
            """
            INSERT INTO notificationDeed(
                identity, kind, actorID, receiverID, video, comment, subject, detail, happenedAt, state, reached, dueAt)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, '', ?9)
            ON CONFLICT (identity) DO UPDATE SET state = excluded.state, happenedAt = excluded.happenedAt,
                dueAt = excluded.dueAt
            WHERE notificationDeed.state = ?11
            """, .text("\(deed.kind.rawValue)/\(deed.identity)"), .text(deed.kind.rawValue),
            SQLValue(deed.actor?.text), SQLValue(deed.receiver?.text), SQLValue(deed.video?.text),
            SQLValue(deed.comment?.text), SQLValue(deed.subject), SQLValue(deed.detail), .time(time),
            .text(DeedState.pending.rawValue), .text(DeedState.withheld.rawValue))
    }

    /// The deeds that wait, the first ones first.
    static func due(at now: WallClockTime, limit: Int, _ db: any SQLConnection) throws -> [Int64] {
        try db.rows(
            """
            SELECT number FROM notificationDeed WHERE state = 'pending' AND dueAt <= ?1
            ORDER BY dueAt, number LIMIT ?2
            """, [.time(now), SQLValue(limit)]
        ) { row in try row.value(0) }
    }

    /// A deed that waits, which nobody else deals with until the end of the transaction; `nil` if it does not wait any
    /// more.
    static func locked(_ number: Int64, _ db: any SQLConnection) throws -> WaitingDeed? {
        try db.first(
            """
            SELECT number, identity, kind, actorID, receiverID, video, comment, subject, detail, happenedAt, reached
            FROM notificationDeed WHERE number = ?1 AND state = 'pending'\(db.dialect.rowLock)
            """, [.integer(number)]
        ) { row -> WaitingDeed? in
            // A later version knows more kinds, and deals with them itself.
            guard let kind = Deed.Kind(rawValue: try row.value("kind")) else { return nil }
            return WaitingDeed(
                number: try row.value("number"),
                deed: Deed(
                    kind: kind, identity: try row.value("identity"), actor: try row.optional("actorID"),
                    receiver: try row.optional("receiverID"), video: try row.optional("video"),
                    comment: try row.optional("comment"),
                    subject: try row.optional("subject"), detail: try row.optional("detail")),
                happenedAt: try row.time("happenedAt"), reached: try row.value("reached"))
        } ?? nil
    }

    static func setReached(_ reached: String, _ number: Int64, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE notificationDeed SET reached = ?2 WHERE number = ?1", .integer(number), .text(reached))
    }

    static func setState(_ state: DeedState, _ number: Int64, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE notificationDeed SET state = ?2 WHERE number = ?1", .integer(number), .text(state.rawValue))
    }

    static func postpone(_ number: Int64, until time: WallClockTime, _ db: any SQLConnection) throws {
        try db.execute("UPDATE notificationDeed SET dueAt = ?2 WHERE number = ?1", .integer(number), .time(time))
    }

    static func pendingCount(_ db: any SQLConnection) throws -> Int64 {
        try db.firstValue("SELECT COUNT(*) FROM notificationDeed WHERE state = 'pending'") ?? 0
    }

    /// Deletes old deeds, which no notification names any more.
    ///
    /// - Returns: number of deeds that were deleted.
    static func prune(before time: WallClockTime, limit: Int, _ db: any SQLConnection) throws -> Int {
        try db.execute(
            """
            DELETE FROM notificationDeed WHERE number IN (
                SELECT number FROM notificationDeed WHERE happenedAt < ?1 ORDER BY happenedAt LIMIT ?2)
            """, .time(time), SQLValue(limit))
    }
}
