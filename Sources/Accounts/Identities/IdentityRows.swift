import Database
import MediaCore

/// The rows of identities with providers. Each function runs inside the transaction of its caller.
enum IdentityRows {
    /// Identities of an account.
    static let maximumCount = 20

    static func owner(of identity: ExternalIdentity, _ db: any SQLConnection) throws -> UserID? {
        try db.firstValue(
            "SELECT userID FROM accountIdentity WHERE provider = ?1 AND subject = ?2", .text(identity.provider),
            .text(identity.subject))
    }

    /// - Throws: `Refusal` with `conflict` if an account has the identity, `tooMany` or `invalidField`.
    static func insert(
        _ identity: ExternalIdentity, label: String, of user: UserID, at time: WallClockTime, _ db: any SQLConnection
    ) throws {
        for text in [identity.provider, identity.subject] {
            guard (1...ExternalIdentity.maximumByteCount).contains(text.utf8.count), !text.utf8.contains(0) else {
                throw Refusal(.invalidField, "the provider's name for the user is empty or too long")
            }
        }
        let count: Int64? = try db.firstValue(
            "SELECT count(*) FROM accountIdentity WHERE userID = ?1", .text(user.text))
        guard count ?? 0 < maximumCount else {
            throw Refusal(.tooMany, "an account can have at most \(maximumCount) connections; remove one first")
        }
        // One statement decides which of two log-ins at the same time gets it.
        let inserted = try db.insert(
            [
                "provider": .text(identity.provider), "subject": .text(identity.subject), "userID": .text(user.text),
                "label": .text(label), "createdAt": .time(time),
            ], into: AccountsSchema.identities, "ON CONFLICT DO NOTHING")
        guard inserted == 1 else {
            throw Refusal(.conflict, "an account is already connected to this identity; log in with it")
        }
    }

    static func noteUse(_ identity: ExternalIdentity, at time: WallClockTime, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE accountIdentity SET lastUsedAt = ?1 WHERE provider = ?2 AND subject = ?3", .time(time),
            .text(identity.provider), .text(identity.subject))
    }

    static func identities(of user: UserID, _ db: any SQLConnection) throws -> [ConnectedIdentity] {
        try db.rows(
            """
            SELECT provider, subject, label, createdAt, lastUsedAt FROM accountIdentity WHERE userID = ?1
            ORDER BY createdAt, provider, subject LIMIT \(maximumCount)
            """, [.text(user.text)]
        ) { row in
            ConnectedIdentity(
                identity: ExternalIdentity(provider: try row.value("provider"), subject: try row.value("subject")),
                label: try row.value("label"), createdAt: try row.time("createdAt"),
                lastUsedAt: try row.optionalTime("lastUsedAt"))
        }
    }

    static func delete(_ identity: ExternalIdentity, of user: UserID, _ db: any SQLConnection) throws -> Bool {
        try db.execute(
            "DELETE FROM accountIdentity WHERE provider = ?1 AND subject = ?2 AND userID = ?3",
            .text(identity.provider), .text(identity.subject), .text(user.text)) == 1
    }
}
