import Database
import MediaCore

/// The rows of second factors and recovery codes. Each function runs inside the transaction of its caller.
enum SecondFactorRows {
    static let recoveryCodeCount = 10
    /// Wrong codes in a row without consequences.
    static let freeFailureCount: Int64 = 5
    /// Pause after the first wrong code that counts; it doubles with each further one. Only somebody who knows the
    /// password gets here, so the owner has to act anyway.
    static let firstPause = Duration.seconds(30)
    static let maximumPause = Duration.seconds(3_600)

    /// The state of an account's second factor.
    struct State: Sendable {
        var sealedKey: [UInt8]
        var isConfirmed: Bool
        var failureCount: Int64
        var nextTryAt: WallClockTime
    }

    static func state(of user: UserID, _ db: any SQLConnection) throws -> State? {
        try db.first(
            "SELECT sealedKey, confirmedAt, failureCount, nextTryAt FROM secondFactor WHERE userID = ?1",
            [.text(user.text)]
        ) { row in
            State(
                sealedKey: try row.value("sealedKey"), isConfirmed: try row.optionalTime("confirmedAt") != nil,
                failureCount: try row.value("failureCount"), nextTryAt: try row.time("nextTryAt"))
        }
    }

    /// Begins a set-up: the key takes effect when ``confirm(_:step:at:_:)`` is called.
    static func begin(_ sealedKey: [UInt8], of user: UserID, _ db: any SQLConnection) throws {
        try db.execute(
            AccountsSchema.secondFactors.upsert, .text(user.text), .blob(sealedKey), .null, 0, 0, 0)
    }

    static func confirm(_ user: UserID, step: Int64, at time: WallClockTime, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE secondFactor SET confirmedAt = ?1, lastStep = ?2, failureCount = 0, nextTryAt = 0 WHERE userID = ?3",
            .time(time), .integer(step), .text(user.text))
    }

    /// Uses up the code of a step: of several requests with it, one gets it.
    ///
    /// A step further ahead than any code that is accepted was written while the server's clock was wrong, and does not
    /// lock the account.
    ///
    /// - Returns: false if this step's code, or a later one, was used before.
    static func consume(step: Int64, of user: UserID, _ db: any SQLConnection) throws -> Bool {
        try db.execute(
            """
            UPDATE secondFactor SET lastStep = ?1, failureCount = 0, nextTryAt = 0
            WHERE userID = ?2 AND (lastStep < ?1 OR lastStep > ?3) AND confirmedAt IS NOT NULL
            """, .integer(step), .text(user.text), .integer(step + 2 * TimeBasedCode.tolerance)) > 0
    }

    /// Notes a wrong code.
    static func noteFailure(of user: UserID, at time: WallClockTime, _ db: any SQLConnection) throws {
        let count: Int64? = try db.firstValue(
            "UPDATE secondFactor SET failureCount = failureCount + 1 WHERE userID = ?1 RETURNING failureCount",
            .text(user.text))
        let excess = (count ?? 0) - freeFailureCount
        guard excess >= 0 else { return }
        let pause = min(firstPause * (1 << min(excess, 30)), maximumPause)
        try db.execute(
            "UPDATE secondFactor SET nextTryAt = ?1 WHERE userID = ?2", .time(time + pause), .text(user.text))
    }

    static func delete(of user: UserID, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM secondFactor WHERE userID = ?1", .text(user.text))
        try db.execute("DELETE FROM recoveryCode WHERE userID = ?1", .text(user.text))
    }

    // MARK: Recovery codes

    /// Replaces all recovery codes of an account.
    static func replaceRecoveryCodes(_ codes: [Secret], of user: UserID, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM recoveryCode WHERE userID = ?1", .text(user.text))
        for code in codes {
            try db.insert(
                ["userID": .text(user.text), "digest": code.digest.value], into: AccountsSchema.recoveryCodes)
        }
    }

    /// Uses up a recovery code: of several requests with it, one gets it.
    static func consume(_ code: Secret, of user: UserID, _ db: any SQLConnection) throws -> Bool {
        let count = try db.execute(
            "DELETE FROM recoveryCode WHERE userID = ?1 AND digest = ?2", .text(user.text), code.digest.value)
        guard count > 0 else { return false }
        try db.execute(
            "UPDATE secondFactor SET failureCount = 0, nextTryAt = 0 WHERE userID = ?1", .text(user.text))
        return true
    }

    static func recoveryCodeCount(of user: UserID, _ db: any SQLConnection) throws -> Int {
        try db.firstValue("SELECT count(*) FROM recoveryCode WHERE userID = ?1", .text(user.text)) ?? 0
    }
}
