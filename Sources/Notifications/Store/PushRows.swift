import Accounts
import Database
import MediaCore
import WebPush

/// The rows of browsers that want push messages, and of their messages. Each function runs inside the transaction
/// of its caller.
enum PushRows {
    private static let columns = NotificationSchema.subscriptions.columnList(
        without: "number", "userID", TokenReference.column)

    /// The browsers of a member, newest first, without those that a token has added and that ended with it.
    static func subscriptions(
        of user: UserID, at time: WallClockTime, _ db: any SQLConnection
    ) throws -> [PushSubscription] {
        try db.rows(
            """
            SELECT \(columns) FROM pushSubscription
            WHERE userID = ?1 AND \(TokenReference.lasting("pushSubscription", at: "?3"))
            ORDER BY number DESC LIMIT ?2
            """, [.text(user.text), SQLValue(PushSubscription.maximumCount), .time(time)]
        ) { row in
            PushSubscription(
                id: try row.value("id"), endpoint: try row.value("endpoint"),
                keys: try PushKeys(
                    publicKey: try row.value("publicKey"), authentication: try row.value("authentication")),
                language: try row.value("language"), createdAt: try row.time("createdAt"))
        }
    }

    /// Adds a browser, or notes that it belongs to another member now.
    ///
    /// - Parameter token: the token with which it was added, and with which it ends; `nil` for a person.
    static func insert(
        _ subscription: PushSubscription, of user: UserID, with token: OpaqueID?, _ db: any SQLConnection
    ) throws {
        try db.execute("DELETE FROM pushSubscription WHERE endpoint = ?1", .text(subscription.endpoint))
        try db.insert(
            [
                "id": .text(subscription.id.text), "userID": .text(user.text),
                "endpoint": .text(subscription.endpoint), "publicKey": .blob(subscription.keys.publicKey),
                "authentication": .blob(subscription.keys.authentication), "language": .text(subscription.language),
                "createdAt": .time(subscription.createdAt), "tokenID": SQLValue(token?.text),
            ], into: NotificationSchema.subscriptions)
        try db.execute(
            """
            DELETE FROM pushSubscription WHERE userID = ?1 AND number NOT IN (
                SELECT number FROM pushSubscription WHERE userID = ?1 ORDER BY number DESC LIMIT ?2)
            """, .text(user.text), SQLValue(PushSubscription.maximumCount))
    }

    /// - Returns: `false` if the member has no such browser.
    static func delete(_ id: OpaqueID, of user: UserID, _ db: any SQLConnection) throws -> Bool {
        try db.execute(
            "DELETE FROM pushSubscription WHERE id = ?1 AND userID = ?2", .text(id.text), .text(user.text)) > 0
    }

    static func deleteAll(of user: UserID, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM pushSubscription WHERE userID = ?1", .text(user.text))
    }

    // MARK: Sending

    /// Takes what is due for an attempt; it is due again after a delay unless the attempt succeeds.
    ///
    /// - Parameters:
    ///   - excluded: members who are left out this time.
    ///   - limit: the number of members, and of notifications.
    static func take(
        at now: WallClockTime, limit: Int, except excluded: [UserID] = [], nextAttempt: (Int) -> Duration,
        _ db: any SQLConnection
    ) throws -> [DuePush] {
        let places = excluded.indices.map { "?\($0 + 3)" }.joined(separator: ", ")
        let due = try db.rows(
            """
            SELECT number, receiverID, pushCount FROM notification WHERE pushDueAt <= ?1
            \(excluded.isEmpty ? "" : "AND receiverID NOT IN (\(places))")
            ORDER BY pushDueAt, number LIMIT ?2
            """, [.time(now), SQLValue(limit)] + excluded.map { .text($0.text) }
        ) { row in
            DuePush(
                number: try row.value("number"), receiver: try row.value("receiverID"),
                attempt: try row.value("pushCount") as Int + 1)
        }
        return try due.filter { push in
            // Another server may have taken it meanwhile.
            try db.execute(
                """
                UPDATE notification SET pushDueAt = ?3, pushCount = ?4 WHERE number = ?1 AND pushDueAt <= ?2
                """, .integer(push.number), .time(now), .time(now + nextAttempt(push.attempt)),
                SQLValue(push.attempt)) > 0
        }
    }

    /// Notes that there is nothing more to send, unless something has happened since the attempt.
    static func finish(_ push: DuePush, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE notification SET pushDueAt = NULL WHERE number = ?1 AND pushCount = ?2", .integer(push.number),
            SQLValue(push.attempt))
    }
}
