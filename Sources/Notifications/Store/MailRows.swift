import Accounts
import Database
import MediaCore

/// The rows of which mail is due. Each function runs inside the transaction of its caller.
enum MailRows {
    /// The members to whom mail is due, those who wait longest first.
    static func receivers(at now: WallClockTime, limit: Int, _ db: any SQLConnection) throws -> [UserID] {
        try db.rows(
            """
            SELECT receiverID FROM notification WHERE mailDueAt <= ?1
            GROUP BY receiverID ORDER BY MIN(mailDueAt), receiverID LIMIT ?2
            """, [.time(now), SQLValue(limit)]
        ) { row in try row.value(0) }
    }

    /// Takes what is due to a member, so that no other mail tells it.
    ///
    /// - Returns: `nil` if nothing is due, or the member has no address, or does not want mail any more.
    static func take(_ user: UserID, at now: WallClockTime, _ db: any SQLConnection) throws -> NotificationDigest? {
        let preferences = try PreferenceRows.preferences(of: user, db)
        let due = try NotificationRows.dueByMail(of: user, at: now, limit: NotificationSettings.maximumCount, db)
        try db.execute(
            "UPDATE notification SET mailDueAt = NULL WHERE receiverID = ?1 AND mailDueAt <= ?2", .text(user.text),
            .time(now))
        let wanted = due.filter { preferences[$0.kind.group].contains(.mail) }
        guard !wanted.isEmpty else { return nil }
        guard let receiver = try AccountReferences.mailReceiver(user, db) else { return nil }
        return NotificationDigest(
            user: user, username: receiver.username, email: receiver.email,
            language: receiver.language ?? preferences.language,
            notifications: Array(wanted.prefix(NotificationDigest.maximumListedCount)), count: wanted.count)
    }
}
