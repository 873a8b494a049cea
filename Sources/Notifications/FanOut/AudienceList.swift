import Accounts
import Database

/// Reads the members who may be told of a deed, in batches. Each function runs inside the transaction of its caller.
struct AudienceList {
    /// The account that has done it, and the competition that it belongs to.
    var actor: UserID?
    var competition: Int64?

    private static let preferences = "LEFT JOIN notificationPreference AS p ON p.userID = account.id"
    private static let isActive = "account.state = 'active'"

    /// All members, in the order of their IDs.
    ///
    /// - Parameter roles: only members with one of them; `nil` for all.
    func everybody(
        of roles: [Role]? = nil, after place: String, limit: Int, _ db: any SQLConnection
    ) throws -> [Receiver] {
        let names = roles.map { roles in roles.map { "'\($0.rawValue)'" }.joined(separator: ", ") }
        let isOfRole = names.map { $0.isEmpty ? " AND 1 = 0" : " AND account.role IN (\($0))" } ?? ""
        return try db.rows(
            """
            SELECT \(columns), account.id FROM account \(Self.preferences)
            WHERE \(Self.isActive)\(isOfRole) AND account.id > ?3 ORDER BY account.id LIMIT ?4
            """, arguments + [.text(place), SQLValue(limit)]
        ) { try Receiver($0) }
    }

    /// Followers of the account that has done it, in the order in which they began.
    ///
    /// - Parameter place: the last one of the batch before; `0` for the first batch.
    func followers(after place: String, limit: Int, _ db: any SQLConnection) throws -> [Receiver] {
        try db.rows(
            """
            SELECT \(columns), CAST(list.number AS TEXT) FROM memberFollow AS list
            JOIN account ON account.id = list.follower \(Self.preferences)
            WHERE \(Self.isActive) AND list.followed = ?1 AND list.number > ?3 ORDER BY list.number LIMIT ?4
            """, arguments + [.integer(Int64(place) ?? 0), SQLValue(limit)]
        ) { try Receiver($0) }
    }

    /// A single member; `nil` if the account is not active.
    func member(_ user: UserID, _ db: any SQLConnection) throws -> Receiver? {
        try db.first(
            "SELECT \(columns), account.id FROM account \(Self.preferences) WHERE \(Self.isActive) AND account.id = ?3",
            arguments + [.text(user.text)]
        ) { try Receiver($0) }
    }

    private var columns: String { Receiver.columns(actor: "?1", competition: "?2") }
    private var arguments: [SQLValue] { [.text(actor?.text ?? ""), .integer(competition ?? 0)] }
}
