import Database
import MediaCore

/// The rows of API tokens and app passwords. Each function runs inside the transaction of its caller.
enum TokenRows {
    /// Tokens and app passwords of an account.
    static let maximumCount = 50
    /// A use is noted when the last note is older than this.
    static let noteInterval = Duration.seconds(60)
    private static let columns = AccountsSchema.tokens.columnList(of: "t", without: "digest")
    /// Channel names have no line breaks.
    private static let channelSeparator: Character = "\n"

    /// A token with the state of its account.
    struct Found: Sendable {
        var token: AccessToken
        var member: Member

        var principal: Principal {
            switch token.kind {
            case .apiToken: .apiToken(member, token.id, token.scope)
            case .appPassword: .appPassword(member, token.id, token.scope)
            }
        }
    }

    /// - Throws: `Refusal` with `tooMany`.
    static func insert(_ token: AccessToken, _ secret: Secret, _ db: any SQLConnection) throws {
        let count: Int64? = try db.firstValue(
            "SELECT count(*) FROM accountToken WHERE userID = ?1", .text(token.user.text))
        guard count ?? 0 < maximumCount else {
            throw Refusal(
                .tooMany, "an account has at most \(maximumCount) tokens and app passwords; revoke one first")
        }
        try db.insert(
            [
                "id": .text(token.id.text), "kind": .text(token.kind.rawValue), "digest": secret.digest.value,
                "userID": .text(token.user.text), "name": .text(token.name),
                "actions": .text(token.scope.actions.description),
                "channels": SQLValue(token.scope.channels?.sorted().joined(separator: String(channelSeparator))),
                "createdAt": .time(token.createdAt), "expiresAt": .time(token.expiresAt),
            ], into: AccountsSchema.tokens)
    }

    /// The token of a secret, if it has not expired and its account can be used.
    static func find(
        _ digest: SecretDigest, _ kind: TokenKind, at time: WallClockTime, _ db: any SQLConnection
    ) throws -> Found? {
        let found = try db.first(
            """
            SELECT \(columns), a.username, a.role, a.language FROM accountToken AS t JOIN account AS a ON a.id = t.userID
            WHERE t.digest = ?1 AND t.kind = ?2 AND (t.expiresAt IS NULL OR t.expiresAt > ?3)
                AND \(AccountState.usableCondition("a", at: "?3"))
            """,
            [digest.value, .text(kind.rawValue), .time(time)]
        ) { row in
            let token = try AccessToken(row)
            return Found(
                token: token,
                member: Member(
                    id: token.user, username: try row.value("username"), role: try row.role("role"),
                    language: try row.optional("language")))
        }
        guard var found else { return nil }
        found.member.channelGrants = try MemberRows.channelGrants(found.member.id, db)
        return found
    }

    /// Notes a use. Of several servers that want to note one, one does.
    static func noteUse(
        _ id: OpaqueID, address: String, at time: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.execute(
            """
            UPDATE accountToken SET lastUsedAt = ?1, lastAddress = ?2
            WHERE id = ?3 AND (lastUsedAt IS NULL OR lastUsedAt <= ?4)
            """, .time(time), .text(address), .text(id.text), .time(time - noteInterval))
    }

    /// The tokens of an account, newest first, with those that have expired.
    static func tokens(of user: UserID, _ db: any SQLConnection) throws -> [AccessToken] {
        try db.rows(
            "SELECT \(columns) FROM accountToken AS t WHERE t.userID = ?1 ORDER BY t.createdAt DESC, t.id",
            [.text(user.text)]
        ) { try AccessToken($0) }
    }

    /// - Returns: the name of the token; `nil` if the account has no such token.
    static func delete(_ id: OpaqueID, of user: UserID, _ db: any SQLConnection) throws -> String? {
        try db.first(
            "DELETE FROM accountToken WHERE id = ?1 AND userID = ?2 RETURNING name",
            [.text(id.text), .text(user.text)]
        ) { row in try row.value(0) }
    }

    static func deleteAll(of user: UserID, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM accountToken WHERE userID = ?1", .text(user.text))
    }

    fileprivate static func channels(_ text: String?) -> Set<String>? {
        text.map { Set($0.split(separator: channelSeparator).map(String.init)) }
    }
}

extension AccessToken {
    fileprivate init(_ row: SQLRow) throws {
        let kind: String = try row.value("kind")
        guard let kind = TokenKind(rawValue: kind) else {
            throw SQLError(.unexpectedValue, "a token has the unknown kind \(kind)")
        }
        self.init(
            id: try row.value("id"), kind: kind, user: try row.value("userID"), name: try row.value("name"),
            scope: Scope(
                actions: try row.actions("actions"), channels: TokenRows.channels(try row.optional("channels"))),
            createdAt: try row.time("createdAt"), expiresAt: try row.optionalTime("expiresAt"),
            lastUsedAt: try row.optionalTime("lastUsedAt"),
            lastAddress: try row.optional("lastAddress"))
    }
}
