import Accounts
import Database
import MediaCore

/// The rows of reports, and the items that they are about. Each function runs inside the transaction of its caller.
enum ReportRows {
    /// Notes a report.
    ///
    /// - Returns: the weight of all open reports with this one; see ``ReportWeight``. `nil` if the member has reported
    ///   the item before.
    static func insert(
        _ kind: ReportedKind, _ subject: String, owner: UserID?, by reporter: UserID, _ reason: ReportReason,
        _ text: String, weight: Int64, at now: WallClockTime, _ db: any SQLConnection
    ) throws -> Int64? {
        let count = try db.insert(
            [
                "kind": .text(kind.rawValue), "subject": .text(subject), "reporterID": .text(reporter.text),
                "reason": .text(reason.rawValue), "text": .text(text), "reportedAt": .time(now),
                "weight": .integer(weight),
            ], into: VideoSchema.reports, "ON CONFLICT (kind, subject, reporterID) DO NOTHING")
        guard count > 0 else { return nil }
        try db.insert(
            [
                "kind": .text(kind.rawValue), "subject": .text(subject), "ownerID": SQLValue(owner?.text),
                "reports": 1, "crossings": 0, "reportedAt": .time(now),
            ], into: VideoSchema.items,
            """
            ON CONFLICT (kind, subject) DO UPDATE SET reports = moderatedItem.reports + 1,
                reportedAt = CASE WHEN moderatedItem.reports = 0 THEN excluded.reportedAt
                    ELSE moderatedItem.reportedAt END
            """)
        return try db.firstValue(
            """
            SELECT CAST(SUM(weight) AS \(db.dialect.name(of: .integer))) FROM itemReport
            WHERE kind = ?1 AND subject = ?2 AND decidedAt IS NULL
            """, .text(kind.rawValue), .text(subject))
    }

    /// Takes an open report back.
    ///
    /// - Returns: `false` if there is none.
    static func withdraw(
        _ kind: ReportedKind, _ subject: String, by reporter: UserID, _ db: any SQLConnection
    ) throws -> Bool {
        let count = try db.execute(
            """
            DELETE FROM itemReport
            WHERE kind = ?1 AND subject = ?2 AND reporterID = ?3 AND decidedAt IS NULL
            """, .text(kind.rawValue), .text(subject), .text(reporter.text))
        guard count > 0 else { return false }
        try db.execute(
            "UPDATE moderatedItem SET reports = reports - 1 WHERE kind = ?1 AND subject = ?2", .text(kind.rawValue),
            .text(subject))
        return true
    }

    static func noteCrossing(_ kind: ReportedKind, _ subject: String, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE moderatedItem SET crossings = crossings + 1 WHERE kind = ?1 AND subject = ?2",
            .text(kind.rawValue), .text(subject))
    }

    /// Number of reports that a member has made in a time until now. Those that a clock that was wrong has dated later
    /// do not count.
    static func count(
        by reporter: UserID, in window: Duration, until now: WallClockTime, _ db: any SQLConnection
    ) throws -> Int64 {
        try db.firstValue(
            "SELECT COUNT(*) FROM itemReport WHERE reporterID = ?1 AND reportedAt > ?2 AND reportedAt <= ?3",
            .text(reporter.text), .time(now - window), .time(now)) ?? 0
    }

    /// The open and settled reports of items by their IDs, the last ones first.
    ///
    /// - Returns: at most ``ItemReport/maximumListedCount`` of each item; nothing for one without reports.
    static func reports(of items: [OpaqueID], _ db: any SQLConnection) throws -> [OpaqueID: [ItemReport]] {
        guard !items.isEmpty else { return [:] }
        let rows = try db.rows(
            """
            SELECT subject, reason, text, reportedAt, decidedAt FROM (
                SELECT *, ROW_NUMBER() OVER (PARTITION BY kind, subject ORDER BY number DESC) AS place
                FROM itemReport
                WHERE kind IN (\(kinds)) AND subject IN (\(SQLParameters.list(items.count)))) AS listed
            WHERE place <= \(ItemReport.maximumListedCount) ORDER BY number DESC
            """, items.map { .text($0.text) }
        ) { row in
            (
                item: try row.value("subject") as OpaqueID,
                report: ItemReport(
                    reason: ReportReason(rawValue: try row.value("reason")) ?? .other, text: try row.value("text"),
                    reportedAt: try row.time("reportedAt"), decidedAt: try row.optionalTime("decidedAt"))
            )
        }
        return Dictionary(grouping: rows, by: \.item).mapValues { $0.map(\.report) }
    }

    private static let kinds = ReportedKind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// The weight of a report of a member.
    static func weight(of reporter: UserID, _ db: any SQLConnection) throws -> Int64 {
        try db.first(
            "SELECT confirmed, rejected FROM reporterRecord WHERE userID = ?1", [.text(reporter.text)]
        ) { row in ReportWeight.weight(confirmed: try row.value("confirmed"), rejected: try row.value("rejected")) }
            ?? ReportWeight.usual
    }

    /// Notes for those whose reports of an item are open whether a decision confirms them.
    static func noteReporters(
        _ kind: ReportedKind, _ subject: String, isConfirmed: Bool, _ db: any SQLConnection
    ) throws {
        let column = isConfirmed ? "confirmed" : "rejected"
        try db.execute(
            """
            INSERT INTO reporterRecord(userID, confirmed, rejected)
            SELECT reporterID, \(isConfirmed ? "1, 0" : "0, 1") FROM itemReport
            WHERE kind = ?1 AND subject = ?2 AND decidedAt IS NULL AND reporterID IS NOT NULL ORDER BY reporterID
            ON CONFLICT (userID) DO UPDATE SET \(column) = reporterRecord.\(column) + 1
            """, .text(kind.rawValue), .text(subject))
    }

    /// Settles the open reports of an item with a decision.
    static func settle(
        _ kind: ReportedKind, _ subject: String, _ decision: ModerationDecision, note: String, at now: WallClockTime,
        _ db: any SQLConnection
    ) throws {
        let (kind, subject) = (SQLValue.text(kind.rawValue), SQLValue.text(subject))
        try db.execute(
            "UPDATE itemReport SET decidedAt = ?3 WHERE kind = ?1 AND subject = ?2 AND decidedAt IS NULL", kind,
            subject, .time(now))
        try db.execute(
            """
            UPDATE moderatedItem SET reports = 0, decision = ?3, decisionNote = ?4, decidedAt = ?5, appealedAt = NULL,
                claimedBy = NULL, claimedUntil = NULL
            WHERE kind = ?1 AND subject = ?2
            """, kind, subject, .text(decision.rawValue), .text(note), .time(now))
    }

    /// Lets a moderator deal with an item alone for a time. A claim that ends later than any can was made while the
    /// clock was wrong, and keeps nobody out.
    ///
    /// - Returns: `false` if somebody else does.
    static func claim(
        _ kind: ReportedKind, _ subject: String, by moderator: String, at now: WallClockTime, until end: WallClockTime,
        _ db: any SQLConnection
    ) throws -> Bool {
        try db.execute(
            """
            UPDATE moderatedItem SET claimedBy = ?3, claimedUntil = ?4 WHERE kind = ?1 AND subject = ?2
                AND (claimedBy IS NULL OR claimedBy = ?3 OR claimedUntil <= ?5 OR claimedUntil > ?6)
            """, .text(kind.rawValue), .text(subject), .text(moderator), .time(end), .time(now),
            .time(now + ModeratedItem.claimTime)) > 0
    }

    /// Notes what the owner says against the last decision.
    ///
    /// - Returns: `false` if there is none to appeal against, or it was done before.
    static func appeal(
        _ kind: ReportedKind, _ subject: String, _ text: String, at now: WallClockTime, _ db: any SQLConnection
    ) throws -> Bool {
        try db.execute(
            """
            UPDATE moderatedItem SET appeal = ?3, appealedAt = ?4, reportedAt = ?4
            WHERE kind = ?1 AND subject = ?2 AND decision = ?5 AND appeal IS NULL
            """, .text(kind.rawValue), .text(subject), .text(text), .time(now),
            .text(ModerationDecision.hidden.rawValue)) > 0
    }

    // MARK: The queue

    private static let columns = """
        \(VideoSchema.items.columnList(of: "item", without: "crossings")),
        \(ProfileRows.account.username) AS ownerName, COALESCE(v.name, k.text, profile.about, '') AS text,
        CASE WHEN v.state = 'hidden' OR k.state = 'hidden' OR profile.state = 'hidden' THEN 1 ELSE 0 END AS isHidden
        """
    private static let tables = """
        \(ProfileRows.account.leftJoin("item.ownerID"))
        LEFT JOIN communityVideo AS v ON item.kind = 'video' AND v.id = item.subject
        LEFT JOIN videoComment AS k ON item.kind = 'comment' AND k.id = item.subject
        LEFT JOIN memberProfile AS profile ON item.kind = 'profile' AND profile.userID = item.subject
        """

    private static func item(_ row: SQLRow) throws -> ModeratedItem? {
        guard let kind = ReportedKind(rawValue: try row.value("kind")) else { return nil }
        let decision: String? = try row.optional("decision")
        return ModeratedItem(
            kind: kind, subject: try row.value("subject"), owner: try row.optional("ownerID"),
            ownerName: try row.optional("ownerName"),
            text: try row.value("text"),
            isHidden: try row.flag("isHidden"), reports: try row.value("reports"),
            reportedAt: try row.time("reportedAt"),
            claimedBy: try row.optional("claimedBy"), claimedUntil: try row.optionalTime("claimedUntil"),
            decision: decision.flatMap(ModerationDecision.init), decisionNote: try row.optional("decisionNote"),
            decidedAt: try row.optionalTime("decidedAt"), appeal: try row.optional("appeal"),
            appealedAt: try row.optionalTime("appealedAt"))
    }

    static func item(_ kind: ReportedKind, _ subject: String, _ db: any SQLConnection) throws -> ModeratedItem? {
        try db.first(
            """
            SELECT \(columns) FROM moderatedItem AS item \(tables) WHERE item.kind = ?1 AND item.subject = ?2
            """, [.text(kind.rawValue), .text(subject)], item) ?? nil
    }

    /// The items that wait for a decision, the first reports first.
    static func queue(
        after start: (time: WallClockTime, subject: String)?, limit: Int, _ db: any SQLConnection
    ) throws -> [ModeratedItem] {
        let time = start?.time ?? WallClockTime(millisecondsSince1970: 0)
        return try db.rows(
            """
            SELECT \(columns) FROM (
                SELECT * FROM moderatedItem WHERE \(VideoSchema.waiting) AND (reportedAt, subject) > (?1, ?2)
                ORDER BY reportedAt, subject LIMIT ?3) AS item \(tables)
            ORDER BY item.reportedAt, item.subject
            """, [.time(time), .text(start?.subject ?? ""), SQLValue(limit)], item
        ).compactMap(\.self)
    }

    // MARK: What goes

    /// Forgets everything about an item that goes.
    static func forget(_ kind: ReportedKind, _ subject: String, _ db: any SQLConnection) throws {
        for table in ["itemReport", "moderatedItem"] {
            try db.execute(
                "DELETE FROM \(table) WHERE kind = ?1 AND subject = ?2", .text(kind.rawValue), .text(subject))
        }
    }

    /// Forgets everything about the comments of a video that goes.
    static func forget(commentsOf video: Int64, _ db: any SQLConnection) throws {
        for table in ["itemReport", "moderatedItem"] {
            try db.execute(
                """
                DELETE FROM \(table)
                WHERE kind = ?1 AND subject IN (SELECT id FROM videoComment WHERE video = ?2)
                """, .text(ReportedKind.comment.rawValue), .integer(video))
        }
    }

    /// Takes the name of somebody who leaves from their reports. What they have reported still has to be decided.
    static func forget(reporter: UserID, _ db: any SQLConnection) throws {
        try db.execute("UPDATE itemReport SET reporterID = NULL WHERE reporterID = ?1", .text(reporter.text))
    }
}
