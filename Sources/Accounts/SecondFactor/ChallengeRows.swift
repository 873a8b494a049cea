import Database
import MediaCore

/// Log-ins whose password was right and that wait for the second factor.
enum ChallengeRows {
    static let lifetime = Duration.seconds(300)
    /// Codes that can be tried before the password has to be given again.
    static let maximumTryCount = 5

    struct Challenge: Sendable {
        var user: UserID
        var isPersistent: Bool
    }

    static func insert(
        _ secret: Secret, _ challenge: Challenge, at time: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.insert(
            [
                "digest": secret.digest.value, "userID": .text(challenge.user.text),
                "isPersistent": .flag(challenge.isPersistent), "triesLeft": SQLValue(maximumTryCount),
                "expiresAt": .time(time + lifetime),
            ], into: AccountsSchema.challenges)
    }

    /// Takes one of the tries of a challenge.
    ///
    /// - Returns: `nil` if it is not known, has expired, or has no tries left.
    static func attempt(_ secret: Secret, at time: WallClockTime, _ db: any SQLConnection) throws -> Challenge? {
        try db.first(
            """
            UPDATE logInChallenge SET triesLeft = triesLeft - 1 WHERE digest = ?1 AND triesLeft > 0 AND expiresAt > ?2
            RETURNING userID, isPersistent
            """, [secret.digest.value, .time(time)]
        ) { row in Challenge(user: try row.value("userID"), isPersistent: try row.flag("isPersistent")) }
    }

    static func delete(_ secret: Secret, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM logInChallenge WHERE digest = ?1", secret.digest.value)
    }

    static func deleteAll(of user: UserID, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM logInChallenge WHERE userID = ?1", .text(user.text))
    }

    static func deleteExpired(at time: WallClockTime, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM logInChallenge WHERE expiresAt <= ?1", .time(time))
    }
}
