import Accounts
import Community
import Database
import Forum

/// Reads the members who may be told of a deed, in batches. Each function runs inside the transaction of its caller.
struct AudienceList {
    /// The account that has done it, and the competition that it belongs to.
    var actor: UserID?
    var competition: Int64?

    private static let account = Receiver.account
    private static let preferences = "LEFT JOIN notificationPreference AS p ON p.userID = \(account.id)"

    /// All members, in the order of their IDs.
    ///
    /// - Parameter roles: only members with one of them; `nil` for all.
    func everybody(
        of roles: [Role]? = nil, after place: String, limit: Int, _ db: any SQLConnection
    ) throws -> [Receiver] {
        let names = roles.map { roles in roles.map { "'\($0.rawValue)'" }.joined(separator: ", ") }
        let isOfRole = names.map { $0.isEmpty ? " AND 1 = 0" : " AND \(Self.account.role) IN (\($0))" } ?? ""
        return try db.rows(
            """
            SELECT \(columns), \(Self.account.id) AS place FROM \(Self.account.table) \(Self.preferences)
            WHERE \(Self.account.isActive)\(isOfRole) AND \(Self.account.id) > ?3 ORDER BY \(Self.account.id) LIMIT ?4
            """, arguments + [.text(place), SQLValue(limit)]
        ) { try Receiver($0) }
    }

    /// Followers of the account that has done it, in the order in which they began.
    ///
    /// - Parameter place: the last one of the batch before; `0` for the first batch.
    func followers(after place: String, limit: Int, _ db: any SQLConnection) throws -> [Receiver] {
        try db.rows(
            """
            SELECT \(columns), CAST(list.number AS TEXT) AS place FROM \(MemberRelations.followers(of: "?1", as: "list"))
            \(Self.account.join("list.follower")) \(Self.preferences)
            WHERE \(Self.account.isActive) AND list.number > ?3 ORDER BY list.number LIMIT ?4
            """, arguments + [.integer(Int64(place) ?? 0), SQLValue(limit)]
        ) { try Receiver($0) }
    }

    /// The members who are told of a comment of the forum, in the order of their IDs, and those among them who only
    /// follow.
    func commentReaders(
        of subject: ForumDeedSubject, after place: String, limit: Int, _ db: any SQLConnection
    ) throws -> (receivers: [Receiver], followers: Set<UserID>) {
        let rows = try db.rows(
            """
            SELECT \(columns), \(Self.account.id) AS place, list.isFollower
            FROM \(ForumAudience.commentReaders(topic: "?5", category: "?6", as: "list"))
            \(Self.account.join("list.userID")) \(Self.preferences)
            WHERE \(Self.account.isActive) AND \(Self.account.id) > ?3 ORDER BY \(Self.account.id) LIMIT ?4
            """,
            arguments + [.text(place), SQLValue(limit), .integer(subject.number), .integer(subject.category)]
        ) { row in (receiver: try Receiver(row), isFollower: try row.flag("isFollower")) }
        return (rows.map(\.receiver), Set(rows.filter(\.isFollower).map(\.receiver.member.id)))
    }

    /// A single member; `nil` if the account is not active.
    func member(_ user: UserID, _ db: any SQLConnection) throws -> Receiver? {
        try db.first(
            """
            SELECT \(columns), \(Self.account.id) AS place FROM \(Self.account.table) \(Self.preferences)
            WHERE \(Self.account.isActive) AND \(Self.account.id) = ?3
            """, arguments + [.text(user.text)]
        ) { try Receiver($0) }
    }

    private var columns: String { Receiver.columns(actor: "?1", competition: "?2") }
    private var arguments: [SQLValue] { [.text(actor?.text ?? ""), .integer(competition ?? 0)] }
}
