import Accounts
import Community
import Database
import MediaCore

/// The rows of contacts. Each function runs inside the transaction of its caller. A member who blocks another one, or
/// is blocked by them, has no contact with them until the block ends.
enum ContactRows {
    private static let account = JoinedAccount(as: "other")

    static func set(_ first: UserID, _ second: UserID, at now: WallClockTime, _ db: any SQLConnection) throws {
        for (user, other) in [(first, second), (second, first)] {
            try db.insert(
                ["userID": .text(user.text), "otherID": .text(other.text), "madeAt": .time(now)],
                into: MessagingSchema.contacts, "ON CONFLICT (userID, otherID) DO NOTHING")
        }
    }

    /// - Returns: `false` if they were none.
    static func remove(_ first: UserID, _ second: UserID, _ db: any SQLConnection) throws -> Bool {
        try db.execute(
            "DELETE FROM contact WHERE (userID = ?1 AND otherID = ?2) OR (userID = ?2 AND otherID = ?1)",
            .text(first.text), .text(second.text)) > 0
    }

    /// Whether two members are contacts, and neither blocks the other.
    static func areContacts(_ first: UserID, _ second: UserID, _ db: any SQLConnection) throws -> Bool {
        try db.exists(
            "SELECT 1 FROM contact WHERE userID = ?1 AND otherID = ?2 AND \(isOpen("userID", "otherID"))",
            .text(first.text), .text(second.text))
    }

    static func count(of user: UserID, _ db: any SQLConnection) throws -> Int64 {
        try db.firstValue("SELECT COUNT(*) FROM contact WHERE userID = ?1", .text(user.text)) ?? 0
    }

    /// The condition that neither of two members blocks the other.
    static func isOpen(_ user: String, _ other: String) -> String {
        """
        NOT \(MemberRelations.blocks(user, member: other)) AND NOT \(MemberRelations.blocks(other, member: user))
        """
    }

    /// A page of the contacts of a member in the order of their names.
    ///
    /// - Parameters:
    ///   - user: the member.
    ///   - prefix: the beginning of the names, as a `CaselessKey`; empty for all.
    ///   - name: the key of the name after which the page begins; empty for the first page.
    ///   - limit: number of contacts.
    ///   - db: the connection.
    static func contacts(
        of user: UserID, prefix: String, after name: String, limit: Int, _ db: any SQLConnection
    ) throws -> [Contact] {
        try db.rows(
            """
            SELECT \(NamedMember.columns(of: account, as: "other")), c.madeAt, \(Self.seenAt) AS seenAt
            FROM contact AS c \(account.join("c.otherID"))
                LEFT JOIN messagingMember AS theirs ON theirs.userID = c.otherID
                LEFT JOIN messagingMember AS own ON own.userID = c.userID
            WHERE c.userID = ?1 AND \(account.usernameKey) > ?2
                AND \(account.usernameKey) >= ?3 AND \(account.usernameKey) < ?4
                AND \(account.isActive) AND \(isOpen("c.userID", "c.otherID"))
            ORDER BY \(account.usernameKey) LIMIT ?5
            """,
            [.text(user.text), .text(name), .text(prefix), .text(prefix + "\u{10FFFF}"), SQLValue(limit)], contact
        ).compactMap(\.self)
    }

    /// A contact of a member; `nil` if they are not contacts.
    static func contact(_ other: UserID, of user: UserID, _ db: any SQLConnection) throws -> Contact? {
        try db.first(
            """
            SELECT \(NamedMember.columns(of: account, as: "other")), c.madeAt, \(Self.seenAt) AS seenAt
            FROM contact AS c \(account.join("c.otherID"))
                LEFT JOIN messagingMember AS theirs ON theirs.userID = c.otherID
                LEFT JOIN messagingMember AS own ON own.userID = c.userID
            WHERE c.userID = ?1 AND c.otherID = ?2 AND \(account.isActive) AND \(isOpen("c.userID", "c.otherID"))
            """, [.text(user.text), .text(other.text)], contact) ?? nil
    }

    /// The first letters of the names of a member's contacts.
    static func letters(of user: UserID, _ db: any SQLConnection) throws -> [String] {
        try db.rows(
            """
            SELECT DISTINCT substr(\(account.usernameKey), 1, 1) AS letter
            FROM contact AS c \(account.join("c.otherID"))
            WHERE c.userID = ?1 AND \(account.isActive) AND \(isOpen("c.userID", "c.otherID")) ORDER BY letter
            """, [.text(user.text)]
        ) { row in try row.value("letter") }
    }

    /// Only contacts see it, and only if both share it. Rows that are not there share it.
    private static let seenAt = """
        CASE WHEN COALESCE(theirs.sharesPresence, 1) = 1 AND COALESCE(own.sharesPresence, 1) = 1
            THEN theirs.seenAt END
        """

    private static func contact(_ row: SQLRow) throws -> Contact? {
        guard let member = try NamedMember.optional(row, "other") else { return nil }
        return Contact(member: member, madeAt: try row.time("madeAt"), seenAt: try row.optionalTime("seenAt"))
    }
}
