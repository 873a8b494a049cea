import Accounts
import Database
import MediaCore

/// The rows of members' choices of parts to follow. Each function runs inside the transaction of its caller.
enum ForumFollowRows {
    static func set(
        _ isOn: Bool?, _ scope: ForumFollow.Scope, _ subject: Int64, of member: UserID, at now: WallClockTime,
        _ db: any SQLConnection
    ) throws {
        guard let isOn else {
            try db.execute(
                "DELETE FROM forumFollow WHERE userID = ?1 AND scope = ?2 AND subject = ?3", .text(member.text),
                .text(scope.rawValue), .integer(subject))
            return
        }
        try db.upsert(
            [
                "userID": .text(member.text), "scope": .text(scope.rawValue), "subject": .integer(subject),
                "isOn": .flag(isOn), "changedAt": .time(now),
            ], into: ForumSchema.follows)
    }

    /// - Returns: `nil` for a member who has not chosen.
    static func choice(
        _ scope: ForumFollow.Scope, _ subject: Int64, of member: UserID, _ db: any SQLConnection
    ) throws -> Bool? {
        try db.first(
            "SELECT isOn FROM forumFollow WHERE userID = ?1 AND scope = ?2 AND subject = ?3",
            [.text(member.text), .text(scope.rawValue), .integer(subject)]
        ) { row in try row.flag("isOn") }
    }

    static func count(of member: UserID, _ db: any SQLConnection) throws -> Int64 {
        try db.firstValue("SELECT COUNT(*) FROM forumFollow WHERE userID = ?1", .text(member.text)) ?? 0
    }

    /// The choices of a member, the whole forum first.
    static func all(of member: UserID, _ db: any SQLConnection) throws -> [ForumFollow] {
        try db.rows(
            """
            SELECT f.scope, f.isOn, COALESCE(c.id, t.id) AS id, COALESCE(c.name, t.title) AS name
            FROM forumFollow AS f
            LEFT JOIN forumCategory AS c ON f.scope = 'category' AND c.number = f.subject
            LEFT JOIN forumTopic AS t ON f.scope = 'topic' AND t.number = f.subject
            WHERE f.userID = ?1 ORDER BY f.scope, f.changedAt DESC LIMIT ?2
            """, [.text(member.text), .integer(ForumFollow.maximumCount)]
        ) { row -> ForumFollow? in
            guard let scope = ForumFollow.Scope(rawValue: try row.value("scope")) else { return nil }
            let id: OpaqueID? = try row.optional("id")
            guard scope == .all || id != nil else { return nil }
            return ForumFollow(
                scope: scope, id: id, name: try row.optional("name"), isOn: try row.flag("isOn"))
        }.compactMap(\.self)
    }
}
