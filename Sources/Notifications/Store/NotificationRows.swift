import Accounts
import Community
import Database
import MediaCore

/// The rows of notifications. Each function runs inside the transaction of its caller.
enum NotificationRows {
    private static let columns = NotificationSchema.notifications.columnList(
        without: "receiverID", "topic", "windowAt", "revision", "isListed", "mailDueAt", "pushDueAt", "pushCount",
        "webhookDueAt")

    private static func notification(_ row: SQLRow) throws -> MemberNotification? {
        // A later version may have told of something that this one does not know.
        guard let kind = NotificationKind(rawValue: try row.value("kind")) else { return nil }
        let deeds: [Int64?] = [try row.value("deed1"), try row.optional("deed2"), try row.optional("deed3")]
        return MemberNotification(
            number: try row.value("number"), id: try row.value("id"), kind: kind, count: try row.value("count"),
            changedAt: try row.time("changedAt"), readAt: try row.optionalTime("readAt"),
            deeds: deeds.compactMap(\.self))
    }

    // MARK: Telling

    /// Tells members of a deed: adds it to the notification of the window, which is unread again.
    ///
    /// - Parameters:
    ///   - new: what they are told.
    ///   - receivers: the members with the ways by which they are told; at most a batch of them.
    static func add(
        _ new: NewNotification, to receivers: [(id: UserID, channels: NotificationChannels)], _ db: any SQLConnection
    ) throws {
        guard !receivers.isEmpty else { return }
        // Always in the order of the accounts, so that two who tell the same members do not wait for each other.
        let receivers = receivers.sorted { $0.id.text < $1.id.text }
        try raiseRevisions(of: receivers.map(\.id), db)
        var arguments: [SQLValue] = [
            .text(new.kind.rawValue), .text(new.topic), .time(new.windowAt), .integer(new.deed), .time(new.changedAt),
        ]
        func parameter(_ value: SQLValue) -> String {
            arguments.append(value)
            return "?\(arguments.count)"
        }
        let rows = receivers.map { receiver in
            let user = parameter(.text(receiver.id.text))
            let channels = receiver.channels
            let isListed = channels.contains(.site) ? 1 : 0
            // The parameters of times are numbers of milliseconds that were made here, so they need no parameter each.
            let mailDueAt = channels.contains(.mail) ? "\(new.windowEndsAt.millisecondsSince1970)" : null(db)
            let pushDueAt = channels.contains(.push) ? "\(new.changedAt.millisecondsSince1970)" : null(db)
            let webhookDueAt =
                channels.contains(.webhook) ? "\(new.changedAt.millisecondsSince1970)" : null(db)
            return """
                (\(parameter(.text(OpaqueID().text))), \(user), ?1, ?2, ?3, 1, ?4, ?5,
                    (SELECT revision FROM notificationState WHERE userID = \(user)), \(isListed), \(mailDueAt),
                    \(pushDueAt), 0, \(webhookDueAt))
                """
        }
        try db.execute(
            """
            INSERT INTO notification(
                id, receiverID, kind, topic, windowAt, count, deed1, changedAt, revision, isListed, mailDueAt, pushDueAt,
                pushCount, webhookDueAt)
            VALUES \(rows.joined(separator: ", "))
            ON CONFLICT (receiverID, kind, topic, windowAt) DO UPDATE SET count = notification.count + 1,
                deed3 = notification.deed2, deed2 = notification.deed1, deed1 = excluded.deed1, readAt = NULL,
                changedAt = excluded.changedAt, revision = excluded.revision, isListed = excluded.isListed,
                mailDueAt = excluded.mailDueAt
            """, arguments)
    }

    private static func null(_ db: any SQLConnection) -> String { "CAST(NULL AS \(db.dialect.name(of: .integer)))" }

    private static func raiseRevisions(of users: [UserID], _ db: any SQLConnection) throws {
        let places = (1...users.count).map { "(?\($0), 1)" }.joined(separator: ", ")
        try db.execute(
            """
            INSERT INTO notificationState(userID, revision) VALUES \(places)
            ON CONFLICT (userID) DO UPDATE SET revision = notificationState.revision + 1
            """, users.map { .text($0.text) })
    }

    // MARK: Reading

    static let listCondition = "receiverID = ?1 AND isListed = 1"

    /// The statement of a page, with the receiver, the time and the number before which it begins, and the limit.
    static let pageStatement = """
        SELECT \(columns) FROM notification WHERE \(listCondition) AND (changedAt, number) < (?2, ?3)
        ORDER BY changedAt DESC, number DESC LIMIT ?4
        """

    static func page(
        of user: UserID, before cursor: NotificationCursor, limit: Int, _ db: any SQLConnection
    ) throws -> [MemberNotification] {
        try db.rows(
            pageStatement, [.text(user.text), .time(cursor.changedAt), .integer(cursor.number), SQLValue(limit)],
            notification
        ).compactMap(\.self)
    }

    static func notification(
        _ id: OpaqueID, of user: UserID, _ db: any SQLConnection
    ) throws -> MemberNotification? {
        try db.first(
            "SELECT \(columns) FROM notification WHERE \(listCondition) AND id = ?2",
            [.text(user.text), .text(id.text)], notification
        ) ?? nil
    }

    static func notification(_ number: Int64, _ db: any SQLConnection) throws -> MemberNotification? {
        try db.first(
            "SELECT \(columns) FROM notification WHERE number = ?1", [.integer(number)], notification
        ) ?? nil
    }

    /// The notifications of which a member is told by mail now, the one that changed last first.
    static func dueByMail(
        of user: UserID, at now: WallClockTime, limit: Int, _ db: any SQLConnection
    ) throws -> [MemberNotification] {
        try db.rows(
            """
            SELECT \(columns) FROM notification WHERE receiverID = ?1 AND mailDueAt <= ?2
            ORDER BY changedAt DESC, number DESC LIMIT ?3
            """, [.text(user.text), .time(now), SQLValue(limit)], notification
        ).compactMap(\.self)
    }

    static let unreadStatement = """
        SELECT COUNT(*) FROM (
            SELECT 1 FROM notification WHERE \(listCondition) AND readAt IS NULL LIMIT ?2) AS unread
        """

    /// Number of unread notifications, counted up to a limit.
    static func unreadCount(of user: UserID, limit: Int, _ db: any SQLConnection) throws -> Int {
        let count: Int64? = try db.firstValue(unreadStatement, .text(user.text), SQLValue(limit))
        return Int(count ?? 0)
    }

    static let changeStatement = """
        SELECT \(columns) FROM notification WHERE receiverID = ?1 AND revision > ?2 AND isListed = 1
        ORDER BY revision LIMIT ?3
        """

    /// The notifications that have changed after a revision.
    static func changes(
        of user: UserID, after revision: Int64, limit: Int, _ db: any SQLConnection
    ) throws -> [MemberNotification] {
        try db.rows(changeStatement, [.text(user.text), .integer(revision), SQLValue(limit)], notification)
            .compactMap(\.self)
    }

    static func revision(of user: UserID, _ db: any SQLConnection) throws -> Int64 {
        try db.firstValue("SELECT revision FROM notificationState WHERE userID = ?1", .text(user.text)) ?? 0
    }

    /// The revisions of members; those who never had a notification are left out.
    static func revisions(of users: [UserID], _ db: any SQLConnection) throws -> [UserID: Int64] {
        guard !users.isEmpty else { return [:] }
        let rows = try db.rows(
            "SELECT userID, revision FROM notificationState WHERE userID IN (\(SQLParameters.list(users.count)))",
            users.map { .text($0.text) }
        ) { row in (try row.value("userID") as UserID, try row.value("revision") as Int64) }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    // MARK: Marks

    /// Which notifications are marked as read.
    enum Marked: Sendable {
        case one(OpaqueID)
        /// A notification and all that changed before it.
        case through(OpaqueID)
        case all
    }

    /// Marks notifications as read.
    ///
    /// - Returns: `false` if there is no such notification.
    static func mark(_ marked: Marked, of user: UserID, at now: WallClockTime, _ db: any SQLConnection) throws -> Bool {
        var condition = listCondition + " AND readAt IS NULL"
        var arguments: [SQLValue] = [.text(user.text)]
        switch marked {
        case .all: break
        case .one(let id), .through(let id):
            let found = try db.first(
                "SELECT number, changedAt FROM notification WHERE \(listCondition) AND id = ?2",
                [.text(user.text), .text(id.text)]
            ) { row in (number: try row.value("number") as Int64, changedAt: try row.time("changedAt")) }
            guard let found else { return false }
            if case .one = marked {
                condition += " AND number = ?2"
                arguments.append(.integer(found.number))
            } else {
                condition += " AND (changedAt, number) <= (?2, ?3)"
                arguments += [.time(found.changedAt), .integer(found.number)]
            }
        }
        let hasUnread = try db.first("SELECT 1 FROM notification WHERE \(condition)", arguments) { _ in true } ?? false
        guard hasUnread else { return true }
        try raiseRevisions(of: [user], db)
        let time = arguments.count + 1
        try db.execute(
            """
            UPDATE notification SET readAt = ?\(time), pushDueAt = NULL, mailDueAt = NULL,
                revision = (SELECT revision FROM notificationState WHERE userID = ?1)
            WHERE \(condition)
            """, arguments + [.time(now)])
        return true
    }

    // MARK: Removing

    /// The removed item, with which the notifications about it go.
    enum Removed: Sendable {
        case video(OpaqueID)
        /// A member's upload, by its ID.
        case upload(String)

        /// Gives the numbers of the deeds that are about it. Its parameter is the first one.
        fileprivate var deeds: String {
            let condition =
                switch self {
                // A decision is told even if it was to delete the video.
                case .video: "video = ?1 AND kind <> 'decision'"
                case .upload: "identity IN ('upload-ready/' || ?1, 'upload-failed/' || ?1)"
                }
            return "SELECT number FROM notificationDeed WHERE \(condition)"
        }

        fileprivate var argument: SQLValue {
            switch self {
            case .video(let id): .text(id.text)
            case .upload(let id): .text(id)
            }
        }
    }

    /// The kinds whose notifications are about one video, whatever their number is.
    private static let kindsOfOneVideo: [NotificationKind] = [.like, .comment, .reply, .reported]

    /// The deeds of a list that are about the removed item, or about another video that is gone.
    private static func goneDeeds(
        of deeds: Set<Int64>, _ removed: Removed, _ db: any SQLConnection
    ) throws -> Set<Int64> {
        let numbers = deeds.sorted()
        let rows = try db.rows(
            """
            SELECT d.number FROM notificationDeed AS d WHERE d.number IN (\(SQLParameters.list(numbers.count)))
                AND (d.kind <> 'decision' AND d.video IS NOT NULL AND NOT \(DeedSubject.exists(video: "d.video")))
            """, numbers.map(SQLValue.integer)
        ) { row in try row.value(0) as Int64 }
        let named = try db.rows(removed.deeds, [removed.argument]) { row in try row.value(0) as Int64 }
        return Set(rows).union(named)
    }

    private static func delete(_ numbers: [Int64], _ db: any SQLConnection) throws {
        guard !numbers.isEmpty else { return }
        try db.execute(
            "DELETE FROM notification WHERE number IN (\(SQLParameters.list(numbers.count)))",
            numbers.map(SQLValue.integer))
    }

    /// Leaves some of the deeds that notifications show.
    private static func keep(
        _ deeds: [Int64], of count: Int, in numbers: [Int64], _ db: any SQLConnection
    ) throws {
        guard !numbers.isEmpty else { return }
        let places = numbers.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let next = numbers.count
        func place(_ index: Int) -> String {
            index < deeds.count ? "?\(next + 1 + index)" : null(db)
        }
        try db.execute(
            """
            UPDATE notification SET
                count = CASE WHEN count > \(count - deeds.count) THEN count - \(count - deeds.count) ELSE 1 END,
                deed1 = \(place(0)), deed2 = \(place(1)), deed3 = \(place(2)),
                revision = (SELECT revision FROM notificationState WHERE userID = receiverID)
            WHERE number IN (\(places))
            """, numbers.map(SQLValue.integer) + deeds.map(SQLValue.integer))
    }

    /// Takes something that is gone out of notifications: those about nothing else are deleted, others lose one of
    /// their things.
    ///
    /// - Returns: the number of notifications that were dealt with; if it is the limit, there may be more.
    static func remove(about removed: Removed, limit: Int, _ db: any SQLConnection) throws -> Int {
        let found = try db.rows(
            """
            SELECT number, receiverID, kind, deed1, deed2, deed3 FROM notification
            WHERE deed1 IN (\(removed.deeds)) ORDER BY number LIMIT ?2
            """, [removed.argument, SQLValue(limit)]
        ) { row in
            let deeds: [Int64?] = [try row.value("deed1"), try row.optional("deed2"), try row.optional("deed3")]
            return (
                number: try row.value("number") as Int64, receiver: try row.value("receiverID") as UserID,
                kind: try row.value("kind") as String, deeds: deeds.compactMap(\.self)
            )
        }
        guard !found.isEmpty else { return 0 }
        // In the order of the accounts, as when members are told.
        try raiseRevisions(of: Set(found.map(\.receiver)).sorted { $0.text < $1.text }, db)
        let gone = try goneDeeds(of: Set(found.flatMap(\.deeds)), removed, db)
        // Most members were told of the same.
        for (deeds, rows) in Dictionary(grouping: found, by: \.deeds) {
            let left = deeds.filter { !gone.contains($0) }
            let isDeleted = { (kind: String) in left.isEmpty || kindsOfOneVideo.contains { $0.rawValue == kind } }
            try delete(rows.filter { isDeleted($0.kind) }.map(\.number), db)
            try keep(left, of: deeds.count, in: rows.filter { !isDeleted($0.kind) }.map(\.number), db)
        }
        return found.count
    }

    /// Takes out what somebody who leaves has told others alone; what was told to them goes with the account.
    static func forget(_ user: UserID, _ db: any SQLConnection) throws {
        try db.execute(
            """
            DELETE FROM notification WHERE count = 1
                AND deed1 IN (SELECT number FROM notificationDeed WHERE actorID = ?1)
            """, .text(user.text))
    }

    /// Deletes old notifications.
    ///
    /// - Returns: number of notifications that were deleted.
    static func prune(before time: WallClockTime, limit: Int, _ db: any SQLConnection) throws -> Int {
        try db.execute(
            """
            DELETE FROM notification WHERE number IN (
                SELECT number FROM notification WHERE changedAt < ?1 ORDER BY changedAt LIMIT ?2)
            """, .time(time), SQLValue(limit))
    }

    /// Members who have more notifications than a limit.
    static func crowded(limit: Int, _ db: any SQLConnection) throws -> [UserID] {
        try db.rows(
            "SELECT receiverID FROM notification GROUP BY receiverID HAVING COUNT(*) > ?1", [SQLValue(limit)]
        ) { row in try row.value(0) }
    }

    /// Deletes all but the newest notifications of a member.
    static func prune(_ user: UserID, keeping count: Int, _ db: any SQLConnection) throws {
        try db.execute(
            """
            DELETE FROM notification WHERE receiverID = ?1 AND number NOT IN (
                SELECT number FROM notification WHERE receiverID = ?1 ORDER BY changedAt DESC, number DESC LIMIT ?2)
            """, .text(user.text), SQLValue(count))
    }
}
