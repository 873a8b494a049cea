import Database
import MediaCore

/// The rows of the audit log. They are written in the transaction of the change that they note, and are only ever
/// deleted for their age or number.
enum AuditRows {
    /// Length limit of a value.
    private static let maximumValueCharacterCount = 500
    /// Rows that one transaction deletes.
    private static let pruneBatchSize = 5_000
    private static let columns = AccountsSchema.auditEntries.columnList

    /// Notes a change.
    static func append(
        _ event: AuditEvent, by principal: Principal, from origin: RequestOrigin, subject: UserID? = nil,
        before: String? = nil, after: String? = nil, at time: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.insert(
            [
                "happenedAt": .time(time), "event": .text(event.rawValue),
                "actorID": SQLValue(principal.member?.id.text), "actorName": .text(name(of: principal)),
                "subjectID": SQLValue(subject?.text), "address": .text(origin.address),
                "valueBefore": SQLValue(before.map(cut)), "valueAfter": SQLValue(after.map(cut)),
            ], into: AccountsSchema.auditEntries)
    }

    /// Notes a change that nobody has made, because the time for something has ended.
    static func appendEndOfTime(
        _ event: AuditEvent, subject: UserID, before: String?, after: String?, at time: WallClockTime,
        _ db: any SQLConnection
    ) throws {
        try db.insert(
            [
                "happenedAt": .time(time), "event": .text(event.rawValue), "actorName": .text(timeName),
                "subjectID": .text(subject.text), "valueBefore": SQLValue(before.map(cut)),
                "valueAfter": SQLValue(after.map(cut)),
            ], into: AccountsSchema.auditEntries)
    }

    /// Stands for the name of somebody where the end of a time is the reason.
    static let timeName = "end of time"

    /// Stands for the name of an account that is no more.
    static let deletedName = "deleted account"

    private static func cut(_ text: String) -> String {
        UntrustedText.escaped(text, maximumCharacterCount: maximumValueCharacterCount)
    }

    private static func name(of principal: Principal) -> String {
        switch principal {
        case .anonymous: "stranger"
        case .session(let member, _): member.username
        case .apiToken(let member, let token, _): "\(member.username), API token \(token)"
        case .appPassword(let member, let token, _): "\(member.username), app password \(token)"
        case .machine(let machine): machine.name
        }
    }

    /// A page, newest first.
    ///
    /// - Throws: `Refusal` if the cursor was not made by a page of this list.
    static func page(
        _ filter: AuditFilter, after cursor: String?, size: Int, _ db: any SQLConnection
    ) throws -> ListPage<AuditEntry> {
        var conditions: [String] = []
        var arguments: [SQLValue] = []
        func require(_ condition: (Int) -> String, _ value: SQLValue) {
            arguments.append(value)
            conditions.append(condition(arguments.count))
        }
        if let cursor {
            let number = try ListCursor.number(parsing: cursor)
            require({ "number < ?\($0)" }, .integer(number))
        }
        if let actor = filter.actor { require({ "actorID = ?\($0)" }, .text(actor.text)) }
        if let subject = filter.subject { require({ "subjectID = ?\($0)" }, .text(subject.text)) }
        if let event = filter.event {
            if event.contains(".") {
                require({ "event = ?\($0)" }, .text(event))
            } else {
                // `/` follows `.` in ASCII.
                require({ "event > ?\($0)" }, .text("\(event)."))
                require({ "event < ?\($0)" }, .text("\(event)/"))
            }
        }
        if let since = filter.since { require({ "happenedAt >= ?\($0)" }, .time(since)) }
        if let until = filter.until { require({ "happenedAt < ?\($0)" }, .time(until)) }
        arguments.append(SQLValue(size + 1))
        let condition = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
        let rows = try db.rows(
            "SELECT \(columns) FROM auditEntry\(condition) ORDER BY number DESC LIMIT ?\(arguments.count)", arguments
        ) { try AuditEntry($0) }
        return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
    }

    /// The entries after a number, oldest first.
    static func entries(after number: Int64, limit: Int, _ db: any SQLConnection) throws -> [AuditEntry] {
        try db.rows(
            "SELECT \(columns) FROM auditEntry WHERE number > ?1 ORDER BY number LIMIT ?2",
            [.integer(number), SQLValue(limit)]
        ) { try AuditEntry($0) }
    }

    /// The highest number; 0 if there are no entries.
    static func lastNumber(_ db: any SQLConnection) throws -> Int64 {
        try db.firstValue("SELECT number FROM auditEntry ORDER BY number DESC LIMIT 1") ?? 0
    }

    /// Removes what is personal from all entries of an account that is deleted. What was done, and when, remains.
    static func forget(_ user: UserID, _ db: any SQLConnection) throws {
        // Entries of older versions do not name the owner of a device or webhook, whose name or address is the value.
        try db.execute(
            """
            UPDATE auditEntry SET valueBefore = NULL, valueAfter = NULL
            WHERE subjectID = ?1 OR actorID = ?1 AND subjectID IS NULL
                AND (event LIKE 'offline-device.%' OR event LIKE 'webhook.%')
            """, .text(user.text))
        // Addresses of others who have changed the account are theirs. Before a log-in, the owner is a stranger.
        try db.execute(
            "UPDATE auditEntry SET address = NULL, actorName = ?2 WHERE actorID = ?1", .text(user.text),
            .text(deletedName))
        try db.execute(
            "UPDATE auditEntry SET address = NULL WHERE subjectID = ?1 AND actorName = ?2", .text(user.text),
            .text(name(of: .anonymous)))
    }

    /// Deletes entries that are too old, and the oldest of too many.
    ///
    /// - Returns: whether there may be more to delete.
    static func prune(before time: WallClockTime, maximumCount: Int, _ db: any SQLConnection) throws -> Bool {
        let old = try db.execute(
            """
            DELETE FROM auditEntry WHERE number IN
                (SELECT number FROM auditEntry WHERE happenedAt < ?1 ORDER BY happenedAt LIMIT ?2)
            """, .time(time), SQLValue(pruneBatchSize))
        let last: Int64? = try db.firstValue(
            "SELECT number FROM auditEntry ORDER BY number DESC LIMIT 1 OFFSET ?1", SQLValue(maximumCount))
        var excess = 0
        if let last {
            excess = try db.execute(
                """
                DELETE FROM auditEntry WHERE number IN
                    (SELECT number FROM auditEntry WHERE number <= ?1 ORDER BY number LIMIT ?2)
                """, .integer(last), SQLValue(pruneBatchSize))
        }
        return max(old, excess) == pruneBatchSize
    }
}

extension AuditEntry {
    fileprivate init(_ row: SQLRow) throws(SQLError) {
        self.init(
            number: try row.value("number"), happenedAt: try row.time("happenedAt"), event: try row.value("event"),
            actorID: try row.optional("actorID"), actorName: try row.value("actorName"),
            subjectID: try row.optional("subjectID"),
            address: try row.optional("address"), before: try row.optional("valueBefore"),
            after: try row.optional("valueAfter"))
    }
}
