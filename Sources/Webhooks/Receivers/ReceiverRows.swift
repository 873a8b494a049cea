import Accounts
import Database
import Events
import MediaCore

/// The rows of receivers. Each function runs inside the transaction of its caller.
enum ReceiverRows {
    private static let columns = WebhookSchema.receivers.columnList(
        without: "secret", "previousSecret", "leaseHolder", "leaseEndsAt", TokenReference.column)
    /// Types have no line breaks.
    private static let typeSeparator: Character = "\n"

    // MARK: Reading

    static func receiver(_ id: OpaqueID, _ db: any SQLConnection) throws -> WebhookReceiver? {
        try db.first("SELECT \(columns) FROM webhookReceiver WHERE id = ?1", [.text(id.text)]) {
            try WebhookReceiver($0)
        }
    }

    /// A page, newest first.
    ///
    /// - Parameter owner: the account whose receivers are wanted; `nil` for those of all.
    /// - Throws: `Refusal` with `invalidCursor`.
    static func page(
        of owner: UserID?, after cursor: String?, size: Int, _ db: any SQLConnection
    ) throws -> ListPage<WebhookReceiver> {
        let last = try cursor.map(ListCursor.number) ?? Int64.max
        var arguments: [SQLValue] = [.integer(last), SQLValue(size + 1)]
        if let owner { arguments.append(.text(owner.text)) }
        let rows = try db.rows(
            """
            SELECT \(columns) FROM webhookReceiver WHERE number < ?1 \(owner == nil ? "" : "AND ownerID = ?3")
            ORDER BY number DESC LIMIT ?2
            """, arguments
        ) { try WebhookReceiver($0) }
        return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
    }

    static func secrets(of id: OpaqueID, _ db: any SQLConnection) throws -> SigningSecrets? {
        try db.first(
            "SELECT secret, previousSecret, previousSecretEndsAt FROM webhookReceiver WHERE id = ?1", [.text(id.text)]
        ) { row in
            SigningSecrets(
                current: try row.value("secret"), previous: try row.optional("previousSecret"),
                previousEndsAt: try row.optionalTime("previousSecretEndsAt"))
        }
    }

    /// The receivers of accounts, which are few: all receivers are at most `WebhookReceiver.maximumCount`.
    static func owned(_ db: any SQLConnection) throws -> [WebhookReceiver] {
        try db.rows("SELECT \(columns) FROM webhookReceiver WHERE ownerID IS NOT NULL") { try WebhookReceiver($0) }
    }

    /// The accounts that have receivers.
    static func owners(_ db: any SQLConnection) throws -> [UserID] {
        try db.rows("SELECT DISTINCT ownerID FROM webhookReceiver WHERE ownerID IS NOT NULL") { try $0.value(0) }
    }

    /// The numbers of receivers that are enabled, and of those that are not.
    static func counts(_ db: any SQLConnection) throws -> (enabled: Int, disabled: Int) {
        let total: Int? = try db.firstValue("SELECT count(*) FROM webhookReceiver")
        let enabled: Int? = try db.firstValue("SELECT count(*) FROM webhookReceiver WHERE disabledReason IS NULL")
        return (enabled ?? 0, (total ?? 0) - (enabled ?? 0))
    }

    // MARK: Changes by people

    /// Adds a receiver.
    ///
    /// - Parameters:
    ///   - receiver: the receiver.
    ///   - secret: its sealed key.
    ///   - token: the token with which it was added, and with which it ends; `nil` for a person or the machine.
    ///   - db: the connection.
    /// - Throws: `Refusal` with `tooMany`.
    static func insert(
        _ receiver: WebhookReceiver, secret: [UInt8], with token: OpaqueID?, _ db: any SQLConnection
    ) throws {
        let total: Int? = try db.firstValue("SELECT count(*) FROM webhookReceiver")
        guard total ?? 0 < WebhookReceiver.maximumCount else {
            throw Refusal(
                .tooMany, "the server can have at most \(WebhookReceiver.maximumCount) webhooks; remove one first")
        }
        let own: Int? =
            if let owner = receiver.owner {
                try db.firstValue("SELECT count(*) FROM webhookReceiver WHERE ownerID = ?1", .text(owner.text))
            } else {
                try db.firstValue("SELECT count(*) FROM webhookReceiver WHERE ownerID IS NULL")
            }
        guard own ?? 0 < WebhookReceiver.maximumCountPerOwner else {
            throw Refusal(
                .tooMany, "an account has at most \(WebhookReceiver.maximumCountPerOwner) webhooks; remove one first")
        }
        try db.insert(
            [
                "id": .text(receiver.id.text), "ownerID": SQLValue(receiver.owner?.text), "url": .text(receiver.url),
                "summary": .text(receiver.summary), "types": .text(text(receiver.filter.types)),
                "subjectKind": SQLValue(receiver.filter.subject?.kind.rawValue),
                "subjectName": SQLValue(receiver.filter.subject?.name), "secret": .blob(secret),
                "createdAt": .time(receiver.createdAt), "lastEvent": .integer(receiver.lastEvent),
                "revision": .integer(receiver.revision), "tokenID": SQLValue(token?.text),
            ], into: WebhookSchema.receivers)
    }

    /// Writes what somebody may change, and raises the revision.
    static func update(_ receiver: WebhookReceiver, _ db: any SQLConnection) throws {
        try db.execute(
            """
            UPDATE webhookReceiver SET url = ?2, summary = ?3, types = ?4, subjectKind = ?5, subjectName = ?6,
                disabledReason = ?7, failingSince = ?8, heldUntil = ?9, revision = revision + 1
            WHERE id = ?1
            """,
            [
                .text(receiver.id.text), .text(receiver.url), .text(receiver.summary),
                .text(text(receiver.filter.types)), SQLValue(receiver.filter.subject?.kind.rawValue),
                SQLValue(receiver.filter.subject?.name), SQLValue(receiver.disabledReason?.rawValue),
                .time(receiver.failingSince), .time(receiver.heldUntil),
            ])
    }

    /// Replaces the key. The one before signs until a time.
    static func rotate(
        _ id: OpaqueID, to secret: [UInt8], previousUntil time: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.execute(
            """
            UPDATE webhookReceiver
            SET previousSecret = secret, previousSecretEndsAt = ?2, secret = ?3, revision = revision + 1
            WHERE id = ?1
            """, .text(id.text), .time(time), .blob(secret))
    }

    static func delete(_ id: OpaqueID, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM webhookReceiver WHERE id = ?1", .text(id.text))
    }

    static func deleteAll(of owner: UserID, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM webhookReceiver WHERE ownerID = ?1", .text(owner.text))
    }

    /// Deletes the receivers that tokens have added which have expired.
    static func deleteEnded(at time: WallClockTime, _ db: any SQLConnection) throws {
        try db.execute(
            "DELETE FROM webhookReceiver WHERE NOT \(TokenReference.lasting("webhookReceiver", at: "?1"))", .time(time))
    }

    /// Deletes previous keys that sign no longer.
    static func forgetPreviousSecrets(at time: WallClockTime, _ db: any SQLConnection) throws {
        try db.execute(
            """
            UPDATE webhookReceiver SET previousSecret = NULL, previousSecretEndsAt = NULL
            WHERE previousSecretEndsAt <= ?1
            """, .time(time))
    }

    // MARK: Delivering

    /// A receiver as a server sees it that could send to it.
    struct Lease: Sendable {
        var id: OpaqueID
        var lastEvent: Int64
        var holder: String?
        var endsAt: WallClockTime?
    }

    /// The enabled receivers with those who send to them.
    static func leases(_ db: any SQLConnection) throws -> [Lease] {
        try db.rows(
            "SELECT id, lastEvent, leaseHolder, leaseEndsAt FROM webhookReceiver WHERE disabledReason IS NULL"
        ) { row in
            Lease(
                id: try row.value("id"), lastEvent: try row.value("lastEvent"), holder: try row.optional("leaseHolder"),
                endsAt: try row.optionalTime("leaseEndsAt"))
        }
    }

    /// Takes the receivers that nobody else sends to, until a time.
    static func lease(
        to holder: String, until end: WallClockTime, at time: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.execute(
            """
            UPDATE webhookReceiver SET leaseHolder = ?1, leaseEndsAt = ?2
            WHERE disabledReason IS NULL AND (leaseHolder IS NULL OR leaseHolder = ?1 OR leaseEndsAt < ?3)
                AND \(TokenReference.lasting("webhookReceiver", at: "?3"))
            """, .text(holder), .time(end), .time(time))
    }

    /// Lets other servers take the receivers at once.
    static func release(_ holder: String, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE webhookReceiver SET leaseHolder = NULL, leaseEndsAt = NULL WHERE leaseHolder = ?1", .text(holder))
    }

    /// Whether somebody may send to a receiver until a time.
    static func isLeased(
        _ id: OpaqueID, to holder: String, until end: WallClockTime, _ db: any SQLConnection
    ) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM webhookReceiver
            WHERE id = ?1 AND leaseHolder = ?2 AND leaseEndsAt >= ?3 AND disabledReason IS NULL
            """, .text(id.text), .text(holder), .time(end))
    }

    /// Notes the last event that is queued or not for the receiver. The number never falls.
    static func advance(_ id: OpaqueID, to event: Int64, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE webhookReceiver SET lastEvent = ?2 WHERE id = ?1 AND lastEvent < ?2", .text(id.text),
            .integer(event))
    }

    /// - Returns: whether the attempts before had failed.
    static func noteSuccess(_ id: OpaqueID, _ db: any SQLConnection) throws -> Bool {
        try db.execute(
            """
            UPDATE webhookReceiver SET failingSince = NULL, heldUntil = NULL WHERE id = ?1 AND failingSince IS NOT NULL
            """, .text(id.text)) > 0
    }

    /// Notes a failure, and disables a receiver that has failed for too long.
    ///
    /// - Returns: whether the receiver was disabled by it.
    static func noteFailure(
        _ id: OpaqueID, heldUntil: WallClockTime?, at time: WallClockTime, _ db: any SQLConnection
    ) throws -> Bool {
        try db.execute(
            """
            UPDATE webhookReceiver SET failingSince = COALESCE(failingSince, ?2), heldUntil = COALESCE(?3, heldUntil)
            WHERE id = ?1
            """, .text(id.text), .time(time), .time(heldUntil))
        return try db.execute(
            "UPDATE webhookReceiver SET disabledReason = ?2 WHERE id = ?1 AND disabledReason IS NULL AND failingSince <= ?3",
            .text(id.text), .text(WebhookReceiver.DisabledReason.failing.rawValue),
            .time(time - WebhookReceiver.maximumFailingTime)) > 0
    }

    static func disable(
        _ id: OpaqueID, _ reason: WebhookReceiver.DisabledReason, _ db: any SQLConnection
    ) throws {
        try db.execute(
            "UPDATE webhookReceiver SET disabledReason = ?2 WHERE id = ?1 AND disabledReason IS NULL", .text(id.text),
            .text(reason.rawValue))
    }

    static func disableAll(
        of owner: UserID, _ reason: WebhookReceiver.DisabledReason, _ db: any SQLConnection
    ) throws {
        try db.execute(
            """
            UPDATE webhookReceiver SET disabledReason = ?2, revision = revision + 1
            WHERE ownerID = ?1 AND disabledReason IS NULL
            """, .text(owner.text), .text(reason.rawValue))
    }

    // MARK: Values

    private static func text(_ types: Set<String>) -> String {
        types.sorted().joined(separator: String(typeSeparator))
    }

    fileprivate static func filter(_ types: String, _ kind: String?, _ name: String?) -> EventFilter {
        var filter = EventFilter()
        filter.types = Set(types.split(separator: typeSeparator).map(String.init))
        guard let kind, let name else { return filter }
        filter.subject = EventSubject(EventSubject.Kind(rawValue: kind), name)
        return filter
    }
}

extension WebhookReceiver {
    fileprivate init(_ row: SQLRow) throws {
        let reason: String? = try row.optional("disabledReason")
        self.init(
            number: try row.value("number"), id: try row.value("id"), url: try row.value("url"),
            summary: try row.value("summary"),
            filter: ReceiverRows.filter(
                try row.value("types"), try row.optional("subjectKind"), try row.optional("subjectName")),
            owner: try row.optional("ownerID"), createdAt: try row.time("createdAt"),
            // A newer version may know more reasons.
            disabledReason: reason.map { DisabledReason(rawValue: $0) ?? .requested },
            failingSince: try row.optionalTime("failingSince"), heldUntil: try row.optionalTime("heldUntil"),
            previousSecretEndsAt: try row.optionalTime("previousSecretEndsAt"), lastEvent: try row.value("lastEvent"),
            revision: try row.value("revision"))
    }
}
