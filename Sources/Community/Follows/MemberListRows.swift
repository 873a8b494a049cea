import Accounts
import Database

/// Lists of people. Each function runs inside the transaction of its caller.
enum MemberListRows {
    /// Leaves out those who do not show others what they like.
    static let showsLikes = """
        (\(ProfileRows.account.id) = ?3 OR NOT EXISTS (SELECT 1 FROM memberProfile AS profile
            WHERE profile.userID = \(ProfileRows.account.id) AND profile.showsLikes = 0))
        """

    /// The members that rows of a table name, the last ones first.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - column: its column with the account.
    ///   - condition: which rows, with the parameter `?1`.
    ///   - more: a further condition, with the account of the reader as `?3`; `nil` for none.
    static func members(
        in table: String, _ column: String, where condition: String, _ argument: SQLValue, and more: String? = nil,
        reader: UserID?, before number: Int64, limit: Int, _ db: any SQLConnection
    ) throws -> [ListedMember] {
        let account = ProfileRows.account
        return try db.rows(
            """
            SELECT listed.number, \(account.username), \(account.id),
                CASE WHEN EXISTS (SELECT 1 FROM memberFollow AS own
                    WHERE own.follower = ?3 AND own.followed = \(account.id)) THEN 1 ELSE 0 END AS isFollowed,
                \(account.photo)
            FROM \(table) AS listed \(account.join("listed.\(column)"))
            WHERE listed.\(condition) AND (\(account.id) = ?3 OR \(ProfileRows.isShown)) AND listed.number < ?2\(more.map { " AND \($0)" } ?? "")
            ORDER BY listed.number DESC LIMIT ?4
            """, [argument, .integer(number), .text(reader?.text ?? ""), SQLValue(limit)]
        ) { row in
            let id: UserID = try row.value("id")
            return ListedMember(
                number: try row.value("number"), username: try row.value("username"),
                isFollowed: id == reader ? nil : try row.flag("isFollowed"), photo: try row.optional("photo"))
        }
    }
}
