import Accounts
import Database
import MediaCore

/// The rows of devices. Each function runs inside the transaction of its caller.
enum DeviceRows {
    private static let account = JoinedAccount()
    private static let columns = ClubSchema.devices.columnList(
        of: "d", without: "digest", TokenReference.column)

    /// Adds a device. Those that tokens had added, which have expired, make room.
    ///
    /// - Parameters:
    ///   - device: the device.
    ///   - secret: its credential.
    ///   - token: the token with which it was added, and with which it ends; `nil` for a person.
    ///   - db: the connection.
    /// - Throws: `Refusal` with `tooMany`.
    static func insert(
        _ device: ClubDevice, _ secret: Secret, with token: OpaqueID?, _ db: any SQLConnection
    ) throws {
        // Two requests at the same time must not both find room.
        try AccountReferences.lock(device.user, db)
        try db.execute(
            "DELETE FROM clubDevice WHERE userID = ?1 AND NOT \(lasting("clubDevice", at: "?2"))",
            .text(device.user.text), .time(device.createdAt))
        let count: Int64? = try db.firstValue(
            "SELECT count(*) FROM clubDevice WHERE userID = ?1", .text(device.user.text))
        guard count ?? 0 < ClubDevice.maximumCount else {
            throw Refusal(
                .tooMany, "a member has at most \(ClubDevice.maximumCount) devices; remove one first")
        }
        try db.insert(
            [
                "id": .text(device.id.text), "userID": .text(device.user.text), "name": .text(device.name),
                "digest": secret.digest.value, "publicKey": .blob(device.publicKey),
                "createdAt": .time(device.createdAt), "tokenID": SQLValue(token?.text),
            ], into: ClubSchema.devices)
    }

    private static func lasting(_ table: String, at time: String) -> String {
        TokenReference.lasting(table, at: time)
    }

    /// The device with a credential, if its account can be used.
    static func find(_ digest: SecretDigest, at time: WallClockTime, _ db: any SQLConnection) throws -> ClubDevice? {
        try db.first(
            """
            SELECT \(columns) FROM clubDevice AS d \(account.join("d.userID"))
            WHERE d.digest = ?1 AND \(account.isUsable(at: "?2")) AND \(lasting("d", at: "?2"))
            """, [digest.value, .time(time)]
        ) { try ClubDevice($0) }
    }

    /// A member's devices, newest first, without those that ended with a token.
    static func devices(of user: UserID, at time: WallClockTime, _ db: any SQLConnection) throws -> [ClubDevice] {
        try db.rows(
            """
            SELECT \(columns) FROM clubDevice AS d WHERE d.userID = ?1 AND \(lasting("d", at: "?2"))
            ORDER BY d.number DESC
            """, [.text(user.text), .time(time)]
        ) { try ClubDevice($0) }
    }

    static func exists(
        _ id: OpaqueID, of user: UserID, at time: WallClockTime, _ db: any SQLConnection
    ) throws -> Bool {
        try db.exists(
            "SELECT 1 FROM clubDevice WHERE id = ?1 AND userID = ?2 AND \(lasting("clubDevice", at: "?3"))",
            .text(id.text), .text(user.text), .time(time))
    }

    static func deleteAll(of user: UserID, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM clubDevice WHERE userID = ?1", .text(user.text))
    }

    /// Notes a use. Of several servers that want to note one, one does.
    static func noteUse(_ id: OpaqueID, at time: WallClockTime, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE clubDevice SET lastUsedAt = ?1 WHERE id = ?2 AND (lastUsedAt IS NULL OR lastUsedAt <= ?3)",
            .time(time), .text(id.text), .time(time - ClubDevice.noteInterval))
    }

    /// Deletes a device.
    ///
    /// - Returns: its name; `nil` if the member has no such device.
    static func delete(_ id: OpaqueID, of user: UserID, _ db: any SQLConnection) throws -> String? {
        try db.first(
            "DELETE FROM clubDevice WHERE id = ?1 AND userID = ?2 RETURNING name", [.text(id.text), .text(user.text)]
        ) { row in try row.value(0) }
    }
}

extension ClubDevice {
    fileprivate init(_ row: SQLRow) throws {
        self.init(
            number: try row.value("number"), id: try row.value("id"), user: try row.value("userID"),
            name: try row.value("name"),
            publicKey: try row.value("publicKey"), createdAt: try row.time("createdAt"),
            lastUsedAt: try row.optionalTime("lastUsedAt"))
    }
}
