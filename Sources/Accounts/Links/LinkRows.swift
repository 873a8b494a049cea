import Database
import MediaCore

/// The rows of one-time links. Each function runs inside the transaction of its caller.
enum LinkRows {
    private static let columns = AccountsSchema.links.columnList(without: "digest")

    /// Makes a link.
    static func create(
        _ purpose: LinkPurpose, user: UserID? = nil, email: String? = nil, role: Role? = nil,
        secret: Secret = Secret(.link), at time: WallClockTime, _ db: any SQLConnection
    ) throws -> NewLink {
        let link = OneTimeLink(
            id: OpaqueID(), purpose: purpose, user: user, email: email, role: role, createdAt: time,
            expiresAt: time + purpose.lifetime)
        try db.insert(
            [
                "id": .text(link.id.text), "digest": secret.digest.value, "purpose": .text(purpose.rawValue),
                "userID": SQLValue(user?.text), "email": SQLValue(email), "role": SQLValue(role?.rawValue),
                "createdAt": .time(time), "expiresAt": .time(link.expiresAt),
            ], into: AccountsSchema.links)
        return NewLink(link: link, secret: secret)
    }

    /// Uses a link up: of several requests with it, one gets it.
    ///
    /// - Throws: `Refusal` with `linkNotValid`.
    static func consume(
        _ secret: Secret, _ purpose: LinkPurpose, at time: WallClockTime, _ db: any SQLConnection
    ) throws -> OneTimeLink {
        let link = try db.first(
            "DELETE FROM accountLink WHERE digest = ?1 AND purpose = ?2 AND expiresAt > ?3 RETURNING \(columns)",
            [secret.digest.value, .text(purpose.rawValue), .time(time)]
        ) { try OneTimeLink($0) }
        guard let link else { throw notValid }
        return link
    }

    /// The link, which can still be used afterwards.
    static func link(
        _ secret: Secret, _ purpose: LinkPurpose, at time: WallClockTime, _ db: any SQLConnection
    ) throws -> OneTimeLink? {
        try db.first(
            "SELECT \(columns) FROM accountLink WHERE digest = ?1 AND purpose = ?2 AND expiresAt > ?3",
            [secret.digest.value, .text(purpose.rawValue), .time(time)]
        ) { try OneTimeLink($0) }
    }

    static var notValid: Refusal {
        Refusal(.linkNotValid, "the link is not valid: it was used before, or it has expired; ask for a new one")
    }

    /// The links of a purpose that can still be used, newest first.
    static func links(
        _ purpose: LinkPurpose, limit: Int, at time: WallClockTime, _ db: any SQLConnection
    ) throws -> [OneTimeLink] {
        try db.rows(
            """
            SELECT \(columns) FROM accountLink WHERE purpose = ?1 AND expiresAt > ?2 ORDER BY createdAt DESC, id
            LIMIT ?3
            """, [.text(purpose.rawValue), .time(time), SQLValue(limit)]
        ) { try OneTimeLink($0) }
    }

    /// Deletes the links of a purpose that were mailed to the owner of an account, but the newest ones.
    static func deleteMailed(
        _ purpose: LinkPurpose, of user: UserID, keeping count: Int, _ db: any SQLConnection
    ) throws {
        try db.execute(
            """
            DELETE FROM accountLink WHERE purpose = ?1 AND userID = ?2 AND email IS NOT NULL AND id NOT IN (
                SELECT id FROM accountLink WHERE purpose = ?1 AND userID = ?2 AND email IS NOT NULL
                ORDER BY createdAt DESC, id LIMIT ?3)
            """, .text(purpose.rawValue), .text(user.text), SQLValue(count))
    }

    /// Deletes links of a purpose.
    ///
    /// - Parameter user: the account that they are for; `nil` for links that create one.
    static func delete(_ purpose: LinkPurpose, of user: UserID?, _ db: any SQLConnection) throws {
        if let user {
            try db.execute(
                "DELETE FROM accountLink WHERE purpose = ?1 AND userID = ?2", .text(purpose.rawValue),
                .text(user.text))
        } else {
            try db.execute("DELETE FROM accountLink WHERE purpose = ?1 AND userID IS NULL", .text(purpose.rawValue))
        }
    }

    /// - Returns: false if there is no such link.
    static func delete(_ id: OpaqueID, _ purpose: LinkPurpose, _ db: any SQLConnection) throws -> Bool {
        try db.execute(
            "DELETE FROM accountLink WHERE id = ?1 AND purpose = ?2", .text(id.text), .text(purpose.rawValue)) > 0
    }

    static func deleteExpired(at time: WallClockTime, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM accountLink WHERE expiresAt <= ?1", .time(time))
    }
}

extension OneTimeLink {
    fileprivate init(_ row: SQLRow) throws {
        let purpose: String = try row.value("purpose")
        guard let purpose = LinkPurpose(rawValue: purpose) else {
            throw SQLError(.unexpectedValue, "a link has the unknown purpose \(purpose)")
        }
        let role: String? = try row.optional("role")
        self.init(
            id: try row.value("id"), purpose: purpose, user: try row.optional("userID"),
            email: try row.optional("email"),
            role: role.flatMap(Role.init(rawValue:)), createdAt: try row.time("createdAt"),
            expiresAt: try row.time("expiresAt"))
    }
}
