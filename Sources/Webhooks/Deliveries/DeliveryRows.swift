import Accounts
import Database
import Events
import MediaCore

/// The rows of deliveries. Each function runs inside the transaction of its caller.
///
/// The column `dueAt` is `NULL` while an earlier message about the same resource is pending, so that what is due is
/// never out of order.
enum DeliveryRows {
    private static let columns = WebhookSchema.deliveries.columnList

    // MARK: Reading

    static func delivery(_ id: OpaqueID, of receiver: OpaqueID, _ db: any SQLConnection) throws -> WebhookDelivery? {
        try db.first(
            "SELECT \(columns) FROM webhookDelivery WHERE id = ?1 AND receiverID = ?2",
            [.text(id.text), .text(receiver.text)]
        ) { try WebhookDelivery($0) }
    }

    /// A page, newest first.
    ///
    /// - Parameter state: `nil` for all.
    /// - Throws: `Refusal` with `invalidCursor`.
    static func page(
        of receiver: OpaqueID, state: WebhookDelivery.State?, after cursor: String?, size: Int, _ db: any SQLConnection
    ) throws -> ListPage<WebhookDelivery> {
        let last = try cursor.map(ListCursor.number) ?? Int64.max
        var arguments: [SQLValue] = [.text(receiver.text), .integer(last), SQLValue(size + 1)]
        if let state { arguments.append(.text(state.rawValue)) }
        let rows = try db.rows(
            """
            SELECT \(columns) FROM webhookDelivery
            WHERE receiverID = ?1 AND number < ?2 \(state == nil ? "" : "AND state = ?4")
            ORDER BY number DESC LIMIT ?3
            """, arguments
        ) { try WebhookDelivery($0) }
        return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
    }

    static let dueQuery =
        "SELECT \(columns) FROM webhookDelivery WHERE receiverID = ?1 AND dueAt <= ?2 ORDER BY number LIMIT ?3"

    /// The messages that are due, the oldest first.
    static func due(
        of receiver: OpaqueID, at time: WallClockTime, limit: Int, _ db: any SQLConnection
    ) throws -> [WebhookDelivery] {
        try db.rows(dueQuery, [.text(receiver.text), .time(time), SQLValue(limit)]) { try WebhookDelivery($0) }
    }

    /// Looks up one row for each receiver, however many messages wait.
    static let dueMark = "SELECT 1 FROM webhookDelivery WHERE receiverID = webhookReceiver.id AND dueAt <= ?2"

    /// The enabled receivers of somebody for which messages are due.
    static func receivers(
        dueAt time: WallClockTime, leasedTo holder: String, _ db: any SQLConnection
    ) throws -> [OpaqueID] {
        try db.rows(
            """
            SELECT id FROM webhookReceiver
            WHERE leaseHolder = ?1 AND disabledReason IS NULL AND (heldUntil IS NULL OR heldUntil <= ?2)
                AND EXISTS (\(dueMark))
            """, [.text(holder), .time(time)]
        ) { try $0.value(0) }
    }

    static func pendingCount(of receiver: OpaqueID, _ db: any SQLConnection) throws -> Int {
        let count: Int? = try db.firstValue(
            "SELECT count(*) FROM webhookDelivery WHERE receiverID = ?1 AND state = 'pending'", .text(receiver.text))
        return count ?? 0
    }

    /// The messages that wait, for all receivers.
    static func pendingCount(_ db: any SQLConnection) throws -> Int {
        let count: Int? = try db.firstValue("SELECT count(*) FROM webhookDelivery WHERE state = 'pending'")
        return count ?? 0
    }

    // MARK: Writing

    /// Appends a message, or an entry that is none. A pending one is due at once, or after those about the same
    /// resource.
    static func insert(_ delivery: WebhookDelivery, _ db: any SQLConnection) throws {
        var dueAt = delivery.dueAt
        if delivery.state == .pending, let subject = delivery.subject,
            try first(of: delivery.receiver, about: subject, db) != nil
        {
            dueAt = nil
        }
        try db.insert(
            [
                "id": .text(delivery.id.text), "receiverID": .text(delivery.receiver.text),
                "messageID": .text(delivery.messageID), "event": SQLValue(delivery.event),
                "type": .text(delivery.type), "subjectKind": SQLValue(delivery.subject?.kind.rawValue),
                "subjectName": SQLValue(delivery.subject?.name), "body": .text(delivery.body),
                "state": .text(delivery.state.rawValue), "attemptCount": SQLValue(delivery.attemptCount),
                "missedCount": SQLValue(delivery.missedCount), "createdAt": .time(delivery.createdAt),
                "dueAt": .time(dueAt), "attemptedAt": .time(delivery.attemptedAt), "status": SQLValue(delivery.status),
                "error": SQLValue(delivery.error), "milliseconds": SQLValue(delivery.duration?.wholeMilliseconds),
                "replayOf": SQLValue(delivery.replayOf?.text),
            ], into: WebhookSchema.deliveries)
    }

    /// Notes an attempt.
    ///
    /// - Parameters:
    ///   - delivery: the message with what has come of the attempt. If it is finished, the next one about the same
    ///     resource is due.
    ///   - time: now.
    ///   - db: the connection.
    /// - Returns: whether the message was pending until now.
    static func note(_ delivery: WebhookDelivery, at time: WallClockTime, _ db: any SQLConnection) throws -> Bool {
        let isNoted =
            try db.execute(
                """
                UPDATE webhookDelivery SET state = ?2, attemptCount = ?3, dueAt = ?4, attemptedAt = ?5, status = ?6,
                    error = ?7, milliseconds = ?8
                WHERE number = ?1 AND state = 'pending'
                """,
                [
                    .integer(delivery.number), .text(delivery.state.rawValue), SQLValue(delivery.attemptCount),
                    .time(delivery.dueAt), .time(delivery.attemptedAt), SQLValue(delivery.status),
                    SQLValue(delivery.error), SQLValue(delivery.duration?.wholeMilliseconds),
                ]) > 0
        guard isNoted, delivery.state != .pending, let subject = delivery.subject,
            let next = try first(of: delivery.receiver, about: subject, db)
        else { return isNoted }
        try db.execute(
            "UPDATE webhookDelivery SET dueAt = ?2 WHERE number = ?1 AND dueAt IS NULL", .integer(next), .time(time))
        return true
    }

    static let firstQuery = """
        SELECT number FROM webhookDelivery
        WHERE receiverID = ?1 AND subjectKind = ?2 AND subjectName = ?3 AND state = 'pending'
        ORDER BY number LIMIT 1
        """

    /// The number of the first pending message of a receiver about a subject; `nil` if there is none.
    private static func first(
        of receiver: OpaqueID, about subject: EventSubject, _ db: any SQLConnection
    ) throws -> Int64? {
        try db.firstValue(
            firstQuery, .text(receiver.text), .text(subject.kind.rawValue), .text(subject.name))
    }

    /// Makes due what waits for its next attempt: the receiver answers again.
    static func hasten(_ receiver: OpaqueID, at time: WallClockTime, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE webhookDelivery SET dueAt = ?2 WHERE receiverID = ?1 AND dueAt > ?2", .text(receiver.text),
            .time(time))
    }

    // MARK: Maintenance

    /// Deletes finished entries that are older than a time, and of a receiver all but the newest.
    static func prune(before time: WallClockTime, keeping count: Int, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM webhookDelivery WHERE createdAt < ?1 AND state <> 'pending'", .time(time))
        let crowded: [OpaqueID] = try db.rows(
            """
            SELECT receiverID FROM webhookDelivery WHERE state <> 'pending' GROUP BY receiverID HAVING count(*) > ?1
            """, [SQLValue(count)]
        ) { try $0.value(0) }
        for receiver in crowded {
            try db.execute(
                """
                DELETE FROM webhookDelivery WHERE receiverID = ?1 AND state <> 'pending' AND number <=
                    (SELECT number FROM webhookDelivery WHERE receiverID = ?1 AND state <> 'pending'
                    ORDER BY number DESC LIMIT 1 OFFSET ?2)
                """, .text(receiver.text), SQLValue(count))
        }
    }
}

extension WebhookDelivery {
    fileprivate init(_ row: SQLRow) throws {
        let (state, kind): (String, String?) = (try row.value("state"), try row.optional("subjectKind"))
        guard let state = State(rawValue: state) else {
            throw SQLError(.unexpectedValue, "a delivery has the unknown state \(state)")
        }
        let name: String? = try row.optional("subjectName")
        let milliseconds: Int64? = try row.optional("milliseconds")
        self.init(
            number: try row.value("number"), id: try row.value("id"), receiver: try row.value("receiverID"),
            messageID: try row.value("messageID"),
            event: try row.optional("event"), type: try row.value("type"),
            subject: kind.flatMap { kind in name.map { EventSubject(EventSubject.Kind(rawValue: kind), $0) } },
            body: try row.value("body"), state: state, attemptCount: try row.value("attemptCount"),
            missedCount: try row.optional("missedCount"),
            createdAt: try row.time("createdAt"), dueAt: try row.optionalTime("dueAt"),
            attemptedAt: try row.optionalTime("attemptedAt"),
            status: try row.optional("status"), error: try row.optional("error"),
            duration: milliseconds.map { .milliseconds($0) }, replayOf: try row.optional("replayOf"))
    }
}
