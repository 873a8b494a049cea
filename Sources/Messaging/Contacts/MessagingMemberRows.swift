import Accounts
import Database
import MediaCore

/// The rows of members' choices and revisions. Each function runs inside the transaction of its
/// caller.
enum MessagingMemberRows {
    static func preferences(of user: UserID, _ db: any SQLConnection) throws -> MessagingPreferences {
        try db.first(
            """
            SELECT sharesPresence, sendsMarks, isFoundByEmail, CASE WHEN phoneKey IS NULL THEN 0 ELSE 1 END AS isFoundByPhone
            FROM messagingMember WHERE userID = ?1
            """, [.text(user.text)]
        ) { row in
            var preferences = MessagingPreferences()
            preferences.sharesPresence = try row.flag("sharesPresence")
            preferences.sendsMarks = try row.flag("sendsMarks")
            preferences.isFoundByEmail = try row.flag("isFoundByEmail")
            preferences.isFoundByPhone = try row.flag("isFoundByPhone")
            return preferences
        } ?? MessagingPreferences()
    }

    /// - Parameter phoneKey: the key of the telephone number, if members find the member by it.
    static func set(
        _ preferences: MessagingPreferences, phoneKey: String?, of user: UserID, _ db: any SQLConnection
    ) throws {
        try db.upsert(
            [
                "userID": .text(user.text), "sharesPresence": .flag(preferences.sharesPresence),
                "sendsMarks": .flag(preferences.sendsMarks), "isFoundByEmail": .flag(preferences.isFoundByEmail),
                "phoneKey": SQLValue(phoneKey),
            ], into: MessagingSchema.members)
    }

    /// Members who let themselves be found by a telephone number. Whether it is still theirs is for the caller to ask.
    static func members(withPhoneKey key: String, limit: Int, _ db: any SQLConnection) throws -> [UserID] {
        try db.rows(
            "SELECT userID FROM messagingMember WHERE phoneKey = ?1 ORDER BY userID LIMIT ?2",
            [.text(key), SQLValue(limit)]
        ) { row in try row.value("userID") }
    }

    static func isFoundByEmail(_ user: UserID, _ db: any SQLConnection) throws -> Bool {
        try db.exists(
            "SELECT 1 FROM messagingMember WHERE userID = ?1 AND isFoundByEmail = 1", .text(user.text))
    }

    /// Notes that a member is online, at most once in an interval.
    static func noteSeen(
        _ user: UserID, at now: WallClockTime, notSince earlier: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.execute(
            """
            INSERT INTO messagingMember(userID, seenAt) VALUES (?1, ?2) ON CONFLICT (userID) DO UPDATE
            SET seenAt = excluded.seenAt WHERE messagingMember.seenAt IS NULL OR messagingMember.seenAt < ?3
                OR messagingMember.seenAt > ?2
            """, .text(user.text), .time(now), .time(earlier))
    }

    // MARK: Revisions

    /// Raises the revisions of members, always in the order of their accounts, so that two writers do not wait for
    /// each other.
    ///
    /// - Parameters:
    ///   - users: the members.
    ///   - isActivity: whether it is something new, which leads their lists.
    ///   - db: the connection.
    /// - Returns: the new revisions.
    static func raise(
        _ users: [UserID], isActivity: Bool, _ db: any SQLConnection
    ) throws -> [UserID: Int64] {
        guard !users.isEmpty else { return [:] }
        let users = users.sorted { $0.text < $1.text }
        let step = isActivity ? 1 : 0
        let places = users.indices.map { "(?\($0 + 1), 1, \(step))" }.joined(separator: ", ")
        let rows = try db.rows(
            """
            INSERT INTO messagingMember(userID, revision, activity) VALUES \(places)
            ON CONFLICT (userID) DO UPDATE SET revision = messagingMember.revision + 1,
                activity = messagingMember.activity + \(step)
            RETURNING userID, revision
            """, users.map { .text($0.text) }
        ) { row in (try row.value("userID") as UserID, try row.value("revision") as Int64) }
        return Dictionary(rows) { first, _ in first }
    }

    static func revision(of user: UserID, _ db: any SQLConnection) throws -> Int64 {
        try db.firstValue("SELECT revision FROM messagingMember WHERE userID = ?1", .text(user.text)) ?? 0
    }

    static func revisions(of users: [UserID], _ db: any SQLConnection) throws -> [UserID: Int64] {
        guard !users.isEmpty else { return [:] }
        let rows = try db.rows(
            "SELECT userID, revision FROM messagingMember WHERE userID IN (\(SQLParameters.list(users.count)))",
            users.map { .text($0.text) }
        ) { row in (try row.value("userID") as UserID, try row.value("revision") as Int64) }
        return Dictionary(rows) { first, _ in first }
    }
}
