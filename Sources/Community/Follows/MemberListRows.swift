import Accounts
import Database

/// Lists of people. Each function runs inside the transaction of its caller.
enum MemberListRows {
    /// The members that rows of a table name, the last ones first.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - column: its column with the account.
    ///   - condition: which rows, with the parameter `?1`.
    static func members(
        in table: String, _ column: String, where condition: String, _ argument: SQLValue, reader: UserID?,
        before number: Int64, limit: Int, _ db: any SQLConnection
    ) throws -> [ListedMember] {
        try db.rows(
            """
            SELECT listed.number, account.username, account.id,
                CASE WHEN EXISTS (SELECT 1 FROM memberFollow AS own
                    WHERE own.follower = ?3 AND own.followed = account.id) THEN 1 ELSE 0 END
            FROM \(table) AS listed JOIN account ON account.id = listed.\(column)
            WHERE listed.\(condition) AND listed.number < ?2 ORDER BY listed.number DESC LIMIT ?4
            """, [argument, .integer(number), .text(reader?.text ?? ""), SQLValue(limit)]
        ) { row in
            let id: UserID = try row.value(2)
            return ListedMember(
                number: try row.value(0), username: try row.value(1),
                isFollowed: id == reader ? nil : try row.flag(3))
        }
    }
}
