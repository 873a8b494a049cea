import Accounts
import Database
import MediaCore

/// The rows of offline copies and of their downloads. Each function runs inside the transaction of its caller.
enum CopyRows {
    private static let columns = ClubSchema.copies.columnList(of: "c", without: "chunkDigests")

    static func copy(_ id: OpaqueID, _ db: any SQLConnection) throws -> OfflineCopy? {
        try db.first("SELECT \(columns) FROM offlineCopy AS c WHERE c.id = ?1", [.text(id.text)]) {
            try OfflineCopy($0)
        }
    }

    static func copy(of rental: OpaqueID, rendition: String, _ db: any SQLConnection) throws -> OfflineCopy? {
        try db.first(
            "SELECT \(columns) FROM offlineCopy AS c WHERE c.rentalID = ?1 AND c.rendition = ?2",
            [.text(rental.text), .text(rendition)]
        ) { try OfflineCopy($0) }
    }

    /// The digests of a copy's chunks, one after the other; `nil` before they were computed.
    static func chunkDigests(of id: OpaqueID, _ db: any SQLConnection) throws -> [UInt8]? {
        try db.firstValue(
            "SELECT chunkDigests FROM offlineCopy WHERE id = ?1 AND preparedAt IS NOT NULL", .text(id.text))
    }

    /// The digest of one chunk; `nil` if there is none.
    static func chunkDigest(of id: OpaqueID, index: Int, _ db: any SQLConnection) throws -> [UInt8]? {
        try db.firstValue(
            "SELECT substr(chunkDigests, ?2, 32) FROM offlineCopy WHERE id = ?1 AND preparedAt IS NOT NULL",
            .text(id.text), SQLValue(index * 32 + 1))
    }

    static func insert(_ copy: OfflineCopy, _ db: any SQLConnection) throws {
        try db.insert(
            [
                "id": .text(copy.id.text), "rentalID": .text(copy.rental.text), "rendition": .text(copy.rendition),
                "revision": .text(copy.revision), "salt": .blob(copy.salt), "byteCount": .integer(copy.byteCount),
                "chunkByteCount": SQLValue(copy.chunkByteCount),
            ], into: ClubSchema.copies)
    }

    /// Writes what a preparation has computed. Two servers that prepare the same copy compute the same.
    static func setDigests(
        of id: OpaqueID, _ digest: [UInt8], chunks: [UInt8], at time: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.execute(
            "UPDATE offlineCopy SET digest = ?1, chunkDigests = ?2, preparedAt = ?3 WHERE id = ?4", .blob(digest),
            .blob(chunks), .time(time), .text(id.text))
    }

    static func delete(_ id: OpaqueID, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM offlineCopy WHERE id = ?1", .text(id.text))
    }

    /// Deletes the copies of rentals that have ended, or whose time is over.
    static func deleteEnded(at now: WallClockTime, limit: Int, _ db: any SQLConnection) throws -> Int {
        try db.execute(
            """
            DELETE FROM offlineCopy WHERE id IN (
                SELECT c.id FROM offlineCopy AS c JOIN rental AS r ON r.id = c.rentalID
                WHERE r.endedAt IS NOT NULL OR r.endsAt <= ?1 OR (r.activatedAt IS NULL AND r.startsBefore <= ?1)
                LIMIT ?2)
            """, .time(now), SQLValue(limit))
    }

    // MARK: Downloads

    /// Notes how far a device is; what it has downloaded does not become partial again by a look at the manifest.
    static func note(
        _ state: CopyDownloadState, of copy: OpaqueID, on device: OpaqueID, at time: WallClockTime,
        _ db: any SQLConnection
    ) throws {
        try db.upsert(
            [
                "copyID": .text(copy.text), "deviceID": .text(device.text), "state": .text(state.rawValue),
                "changedAt": .time(time),
            ], into: ClubSchema.downloads)
    }

    /// Notes that a device has begun, unless it is known already.
    static func noteBegin(
        of copy: OpaqueID, on device: OpaqueID, at time: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.insert(
            [
                "copyID": .text(copy.text), "deviceID": .text(device.text),
                "state": .text(CopyDownloadState.partial.rawValue), "changedAt": .time(time),
            ], into: ClubSchema.downloads, "ON CONFLICT (copyID, deviceID) DO NOTHING")
    }

    static func forgetDownload(of copy: OpaqueID, on device: OpaqueID, _ db: any SQLConnection) throws {
        try db.execute(
            "DELETE FROM offlineDownload WHERE copyID = ?1 AND deviceID = ?2", .text(copy.text), .text(device.text))
    }

    /// How far a rental's copies are, by rendition: the furthest of the devices counts.
    ///
    /// - Parameter device: counts this device only; `nil` for all.
    static func states(
        of rental: OpaqueID, on device: OpaqueID?, _ db: any SQLConnection
    ) throws -> [String: CopyDownloadState] {
        let rows = try db.rows(
            """
            SELECT c.rendition, max(CASE WHEN d.state = 'downloaded' THEN 2 ELSE 1 END) AS furthest
            FROM offlineCopy AS c JOIN offlineDownload AS d ON d.copyID = c.id
            WHERE c.rentalID = ?1 AND (?2 = '' OR d.deviceID = ?2) GROUP BY c.rendition
            """, [.text(rental.text), .text(device?.text ?? "")]
        ) { row in (try row.value("rendition") as String, try row.value("furthest") as Int64) }
        return Dictionary(rows.map { ($0, $1 == 2 ? .downloaded : .partial) }) { first, _ in first }
    }

    /// The state of rentals' copies on devices, by rental.
    static func onDevices(
        of rentals: [OpaqueID], _ db: any SQLConnection
    ) throws -> [OpaqueID: [CopyOnDevice]] {
        let rows = try db.rows(
            """
            SELECT c.rentalID, device.id, device.name, c.rendition, d.state, d.changedAt
            FROM offlineCopy AS c JOIN offlineDownload AS d ON d.copyID = c.id
            JOIN clubDevice AS device ON device.id = d.deviceID
            WHERE c.rentalID IN (\(SQLParameters.list(rentals.count))) ORDER BY device.number, c.rendition
            """, rentals.map { .text($0.text) }
        ) { row in
            let state: String = try row.value("state")
            return (
                try row.value("rentalID") as OpaqueID,
                CopyOnDevice(
                    device: try row.value("id"), deviceName: try row.value("name"),
                    rendition: try row.value("rendition"),
                    state: CopyDownloadState(rawValue: state) ?? .partial, changedAt: try row.time("changedAt"))
            )
        }
        return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
    }
}

extension OfflineCopy {
    fileprivate init(_ row: SQLRow) throws {
        self.init(
            id: try row.value("id"), rental: try row.value("rentalID"), rendition: try row.value("rendition"),
            revision: try row.value("revision"),
            salt: try row.value("salt"), byteCount: try row.value("byteCount"),
            chunkByteCount: try row.value("chunkByteCount"),
            digest: try row.optional("digest") ?? [], preparedAt: try row.optionalTime("preparedAt"))
    }
}
