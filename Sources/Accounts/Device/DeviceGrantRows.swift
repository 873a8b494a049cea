import Database
import MediaCore

/// The rows of devices that want to log in. Each function runs inside the transaction of its caller.
enum DeviceGrantRows {
    static let lifetime = Duration.seconds(900)
    /// RFC 8628 §3.2: 5 seconds if nothing is said, and §3.5: 5 seconds more after each `slow_down`.
    static let interval = Duration.seconds(5)
    static let maximumInterval = Duration.seconds(60)
    /// Polls may come a little early, because networks take their time.
    private static let earliness = Duration.milliseconds(500)

    enum State: String, Sendable {
        case pending
        case approved
        case denied
    }

    /// The grant that a poll finds before the answer is made.
    struct Grant: Sendable {
        var id: OpaqueID
        var state: State
        var user: UserID?
        var expiresAt: WallClockTime
        var interval: Duration
        var isTooEarly: Bool
        var device: String
    }

    static func insert(
        _ authorization: DeviceAuthorization, from origin: RequestOrigin, at time: WallClockTime,
        _ db: any SQLConnection
    ) throws {
        try db.insert(
            [
                "id": .text(OpaqueID().text), "digest": authorization.deviceCode.digest.value,
                "userCode": .text(authorization.userCode.letters), "state": .text(State.pending.rawValue),
                "address": .text(origin.address), "device": .text(origin.device), "createdAt": .time(time),
                "expiresAt": .time(time + authorization.lifetime),
                "pollInterval": .integer(authorization.interval.wholeMilliseconds),
            ], into: AccountsSchema.deviceGrants)
    }

    /// The device of a code, if it still waits.
    static func pending(_ code: UserCode, at time: WallClockTime, _ db: any SQLConnection) throws -> PendingDevice? {
        try db.first(
            """
            SELECT id, address, device, createdAt, expiresAt FROM deviceGrant
            WHERE userCode = ?1 AND state = ?2 AND expiresAt > ?3
            """, [.text(code.letters), .text(State.pending.rawValue), .time(time)]
        ) { row in
            PendingDevice(
                id: try row.value("id"), address: try row.value("address"), device: try row.value("device"),
                createdAt: try row.time("createdAt"), expiresAt: try row.time("expiresAt"))
        }
    }

    /// Decides on a device that waits: of several decisions, the first one counts.
    static func decide(
        _ code: UserCode, _ state: State, by user: UserID, at time: WallClockTime, _ db: any SQLConnection
    ) throws -> Bool {
        try db.execute(
            """
            UPDATE deviceGrant SET state = ?1, userID = ?2 WHERE userCode = ?3 AND state = ?4 AND expiresAt > ?5
            """, .text(state.rawValue), .text(user.text), .text(code.letters), .text(State.pending.rawValue),
            .time(time)) > 0
    }

    /// Notes a poll, and makes the interval longer if it came too early.
    ///
    /// - Returns: `nil` if there is no such device.
    static func poll(_ secret: Secret, at time: WallClockTime, _ db: any SQLConnection) throws -> Grant? {
        let found = try db.first(
            """
            SELECT id, state, userID, expiresAt, pollInterval, lastPollAt, device FROM deviceGrant WHERE digest = ?1
            """, [secret.digest.value]
        ) { row -> (Grant, WallClockTime?) in
            let state: String = try row.value("state")
            guard let state = State(rawValue: state) else {
                throw SQLError(.unexpectedValue, "a device has the unknown state \(state)")
            }
            let grant = Grant(
                id: try row.value("id"), state: state, user: try row.optional("userID"),
                expiresAt: try row.time("expiresAt"),
                interval: .milliseconds(try row.value("pollInterval") as Int64), isTooEarly: false,
                device: try row.value("device"))
            return (grant, try row.optionalTime("lastPollAt"))
        }
        guard let (previous, lastPollAt) = found else { return nil }
        var grant = previous
        if let lastPollAt, time - lastPollAt < grant.interval - earliness {
            grant.isTooEarly = true
            grant.interval = min(grant.interval + interval, maximumInterval)
        }
        try db.execute(
            "UPDATE deviceGrant SET lastPollAt = ?1, pollInterval = ?2 WHERE id = ?3", .time(time),
            .integer(grant.interval.wholeMilliseconds), .text(grant.id.text))
        return grant
    }

    /// Uses up an approval: of several polls, one gets the session.
    static func consume(_ id: OpaqueID, _ db: any SQLConnection) throws -> Bool {
        try db.execute("DELETE FROM deviceGrant WHERE id = ?1", .text(id.text)) > 0
    }

    /// Deletes devices some time after they have expired, so that they hear why.
    static func deleteExpired(at time: WallClockTime, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM deviceGrant WHERE expiresAt <= ?1", .time(time - lifetime))
    }
}
