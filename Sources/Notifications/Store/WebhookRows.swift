import Accounts
import Database
import MediaCore

/// The rows of which webhooks are told. Each function runs inside the transaction of its caller.
enum WebhookRows {
    /// The statement of due notifications, with the time and the limit.
    static let dueStatement = """
        SELECT number, receiverID FROM notification WHERE webhookDueAt <= ?1
        ORDER BY webhookDueAt, number LIMIT ?2
        """

    /// Takes what is due, so that nobody else tells it.
    ///
    /// - Returns: what was taken, with its receivers; and whether there may be more.
    static func take(
        at now: WallClockTime, limit: Int, _ db: any SQLConnection
    ) throws -> (taken: [(number: Int64, receiver: UserID)], hasMore: Bool) {
        let due = try db.rows(dueStatement, [.time(now), SQLValue(limit)]) { row in
            (number: try row.value("number") as Int64, receiver: try row.value("receiverID") as UserID)
        }
        let taken = try due.filter { notification in
            // Another server may have taken it meanwhile.
            try db.execute(
                "UPDATE notification SET webhookDueAt = NULL WHERE number = ?1 AND webhookDueAt <= ?2",
                .integer(notification.number), .time(now)) > 0
        }
        return (taken, due.count == limit)
    }
}
