import Database
import MediaCore
import WebAuthentication

/// The rows of passkeys and of their challenges. Each function runs inside the transaction of its caller.
enum PasskeyRows {
    /// Passkeys of an account.
    static let maximumCount = 20
    /// Time for a person to find the phone.
    static let challengeLifetime = Duration.seconds(300)

    /// A passkey with what is needed to check its use.
    struct Found: Sendable {
        var id: OpaqueID
        var user: UserID
        var key: [UInt8]
        var signatureCount: Int64
    }

    // MARK: Challenges

    /// - Parameter user: the account for which a passkey is made; `nil` for a log-in.
    static func insertChallenge(
        _ text: String, user: UserID?, at time: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.insert(
            [
                "digest": SecretDigest(of: text).value, "userID": SQLValue(user?.text),
                "expiresAt": .time(time + challengeLifetime),
            ], into: AccountsSchema.passkeyChallenges)
    }

    /// Uses up a challenge: of several answers to it, one counts.
    static func consumeChallenge(
        _ text: String, user: UserID?, at time: WallClockTime, _ db: any SQLConnection
    ) throws -> Bool {
        let owner = try db.first(
            "DELETE FROM passkeyChallenge WHERE digest = ?1 AND expiresAt > ?2 RETURNING userID",
            [SecretDigest(of: text).value, .time(time)]
        ) { row -> UserID? in try row.optional(0) }
        // A challenge of another purpose is used up as well.
        return owner.map { $0 == user } ?? false
    }

    static func deleteExpiredChallenges(at time: WallClockTime, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM passkeyChallenge WHERE expiresAt <= ?1", .time(time))
    }

    // MARK: Passkeys

    /// - Throws: `Refusal` with `tooMany`, or `passkeyNotValid` if some account has the credential already.
    static func insert(
        _ passkey: Passkey, of user: UserID, _ credential: AuthenticatorData.Credential, signatureCount: UInt32,
        _ db: any SQLConnection
    ) throws {
        let count: Int64? = try db.firstValue("SELECT count(*) FROM passkey WHERE userID = ?1", .text(user.text))
        guard count ?? 0 < maximumCount else {
            throw Refusal(.tooMany, "an account has at most \(maximumCount) passkeys; remove one first")
        }
        if try db.exists("SELECT 1 FROM passkey WHERE credentialID = ?1", .blob(credential.id)) {
            throw RelyingParty.notValid("it is already registered")
        }
        try db.insert(
            [
                "id": .text(passkey.id.text), "credentialID": .blob(credential.id), "userID": .text(user.text),
                "name": .text(passkey.name), "publicKey": .blob(credential.key),
                "signatureCount": .integer(Int64(signatureCount)), "isBackupEligible": .flag(passkey.isBackupEligible),
                "createdAt": .time(passkey.createdAt),
            ], into: AccountsSchema.passkeys)
    }

    static func find(_ credentialID: [UInt8], _ db: any SQLConnection) throws -> Found? {
        try db.first(
            "SELECT id, userID, publicKey, signatureCount FROM passkey WHERE credentialID = ?1", [.blob(credentialID)]
        ) { row in
            Found(
                id: try row.value("id"), user: try row.value("userID"), key: try row.value("publicKey"),
                signatureCount: try row.value("signatureCount"))
        }
    }

    /// Notes a use. Authenticators that count their signatures never go back: a lower number comes from a copy.
    ///
    /// - Returns: false if the number does not rise.
    static func noteUse(
        _ id: OpaqueID, signatureCount: UInt32, at time: WallClockTime, _ db: any SQLConnection
    ) throws -> Bool {
        let condition = signatureCount == 0 ? "signatureCount = ?1" : "signatureCount < ?1"
        return try db.execute(
            "UPDATE passkey SET signatureCount = ?1, lastUsedAt = ?2 WHERE id = ?3 AND \(condition)",
            .integer(Int64(signatureCount)), .time(time), .text(id.text)) > 0
    }

    /// The passkeys of an account, newest first.
    static func passkeys(of user: UserID, _ db: any SQLConnection) throws -> [Passkey] {
        try db.rows(
            """
            SELECT id, name, isBackupEligible, createdAt, lastUsedAt FROM passkey WHERE userID = ?1
            ORDER BY createdAt DESC, id
            """, [.text(user.text)]
        ) { row in
            Passkey(
                id: try row.value("id"), name: try row.value("name"),
                isBackupEligible: try row.flag("isBackupEligible"),
                createdAt: try row.time("createdAt"), lastUsedAt: try row.optionalTime("lastUsedAt"))
        }
    }

    static func credentialIDs(of user: UserID, _ db: any SQLConnection) throws -> [[UInt8]] {
        try db.rows("SELECT credentialID FROM passkey WHERE userID = ?1", [.text(user.text)]) { try $0.value(0) }
    }

    /// - Returns: the name of the passkey; `nil` if the account has no such passkey.
    static func delete(_ id: OpaqueID, of user: UserID, _ db: any SQLConnection) throws -> String? {
        try db.first(
            "DELETE FROM passkey WHERE id = ?1 AND userID = ?2 RETURNING name", [.text(id.text), .text(user.text)]
        ) { row in try row.value(0) }
    }
}
