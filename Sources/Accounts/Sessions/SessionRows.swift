import Database
import MediaCore

/// The rows of sessions. Each function runs inside the transaction of its caller.
enum SessionRows {
    /// Sessions of an account; the oldest ends when there would be more.
    static let maximumCount = 100
    /// A use is noted when the last note is older than this.
    static let noteInterval = Duration.seconds(60)
    private static let columns = AccountsSchema.sessions.columnList(of: "s", without: "digest")

    /// A session with the state of its account.
    struct Found: Sendable {
        var session: Session
        var member: Member
    }

    static func insert(_ session: Session, _ secret: Secret, _ db: any SQLConnection) throws {
        try db.execute(
            """
            DELETE FROM accountSession WHERE id IN (
                SELECT id FROM accountSession WHERE userID = ?1 ORDER BY createdAt DESC LIMIT 1000 OFFSET ?2)
            """, .text(session.user.text), SQLValue(maximumCount - 1))
        try db.insert(
            [
                "id": .text(session.id.text), "digest": secret.digest.value, "userID": .text(session.user.text),
                "isPersistent": .flag(session.isPersistent), "createdAt": .time(session.createdAt),
                "lastUsedAt": .time(session.lastUsedAt), "idleAt": .time(session.idleAt),
                "expiresAt": .time(session.expiresAt), "address": .text(session.address),
                "device": .text(session.device),
            ], into: AccountsSchema.sessions)
    }

    /// The session of a secret, if it has not ended and its account is active.
    static func find(
        _ digest: SecretDigest, at time: WallClockTime, _ db: any SQLConnection
    ) throws -> Found? {
        let found = try db.first(
            """
            SELECT \(columns), a.username, a.role, a.language FROM accountSession AS s JOIN account AS a ON a.id = s.userID
            WHERE s.digest = ?1 AND s.idleAt > ?2 AND s.expiresAt > ?2 AND a.state = ?3
            """, [digest.value, .time(time), .text(AccountState.active.rawValue)]
        ) { row in
            let session = try Session(row)
            return Found(
                session: session,
                member: Member(
                    id: session.user, username: try row.value("username"), role: try row.role("role"),
                    language: try row.optional("language")))
        }
        guard var found else { return nil }
        found.member.channelGrants = try MemberRows.channelGrants(found.member.id, db)
        return found
    }

    /// Notes a use. Of several servers that want to note one, one does.
    static func noteUse(
        _ id: OpaqueID, address: String, idleAt: WallClockTime, at time: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.execute(
            "UPDATE accountSession SET lastUsedAt = ?1, idleAt = ?2, address = ?3 WHERE id = ?4 AND lastUsedAt <= ?5",
            .time(time), .time(idleAt), .text(address), .text(id.text), .time(time - noteInterval))
    }

    /// The sessions of an account that have not ended, newest first.
    static func sessions(of user: UserID, at time: WallClockTime, _ db: any SQLConnection) throws -> [Session] {
        try db.rows(
            """
            SELECT \(columns) FROM accountSession AS s WHERE s.userID = ?1 AND s.idleAt > ?2 AND s.expiresAt > ?2
            ORDER BY s.createdAt DESC, s.id
            """, [.text(user.text), .time(time)]
        ) { try Session($0) }
    }

    /// The number of sessions that have not ended.
    static func count(at time: WallClockTime, _ db: any SQLConnection) throws -> Int {
        let count: Int64? = try db.firstValue(
            "SELECT count(*) FROM accountSession WHERE idleAt > ?1 AND expiresAt > ?1", .time(time))
        return Int(count ?? 0)
    }

    /// - Returns: false if the account has no such session.
    static func delete(_ id: OpaqueID, of user: UserID, _ db: any SQLConnection) throws -> Bool {
        try db.execute(
            "DELETE FROM accountSession WHERE id = ?1 AND userID = ?2", .text(id.text), .text(user.text)) > 0
    }

    /// Ends all sessions of an account.
    ///
    /// - Parameter besides: the session that goes on.
    /// - Returns: their number.
    @discardableResult static func deleteAll(
        of user: UserID, besides id: OpaqueID? = nil, _ db: any SQLConnection
    ) throws -> Int {
        try db.execute(
            "DELETE FROM accountSession WHERE userID = ?1 AND id <> ?2", .text(user.text), .text(id?.text ?? ""))
    }

    static func createdAt(_ id: OpaqueID, _ db: any SQLConnection) throws -> WallClockTime? {
        let time: Int64? = try db.firstValue("SELECT createdAt FROM accountSession WHERE id = ?1", .text(id.text))
        return time.map { WallClockTime(millisecondsSince1970: $0) }
    }

    static func deleteExpired(at time: WallClockTime, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM accountSession WHERE expiresAt <= ?1 OR idleAt <= ?1", .time(time))
    }
}

extension Session {
    fileprivate init(_ row: SQLRow) throws(SQLError) {
        self.init(
            id: try row.value("id"), user: try row.value("userID"), isPersistent: try row.flag("isPersistent"),
            createdAt: try row.time("createdAt"),
            lastUsedAt: try row.time("lastUsedAt"), idleAt: try row.time("idleAt"),
            expiresAt: try row.time("expiresAt"),
            address: try row.value("address"), device: try row.value("device"))
    }
}
