import Database
import MediaCore

/// The rows of files in the media store.
///
/// An object has a row from before it is put until after it is deleted, so that no crash leaves an object that nobody
/// knows of.
struct StoredFileRows: Sendable {
    /// The state of an object.
    enum State: Int64 {
        /// It is being put.
        case begun = 0
        /// It holds a file of the library.
        case stored = 1
        /// It is no longer needed.
        case dropped = 2
    }

    let database: any SQLDatabase
    let wallClock: WallClock

    private static let batchSize = 2_000
    private static let columns = StoredFileSchema.files.columnList(without: "state", "changedAt")
    /// The time after which an object that is being put counts as forgotten. Another server may be putting it.
    static let maximumPutDuration = Duration.seconds(24 * 3_600)

    /// All files in the store.
    func all() async throws -> [StoredFile] {
        var files: [StoredFile] = []
        while true {
            let last = files.last?.key ?? ""
            let batch = try await database.read { db in
                try db.rows(
                    """
                    SELECT \(Self.columns) FROM storedFile WHERE state = ?1 AND objectKey > ?2
                    ORDER BY objectKey LIMIT \(Self.batchSize)
                    """, [.integer(State.stored.rawValue), .text(last)]
                ) { row in try StoredFile(row) }
            }
            files += batch
            guard batch.count == Self.batchSize else { return files }
        }
    }

    /// Notes that an object is about to be put.
    func begin(_ key: String, place: String) async throws {
        let now = wallClock.now().millisecondsSince1970
        try await database.write { db in
            try db.insert(
                [
                    "objectKey": .text(key), "place": .text(place), "state": .integer(State.begun.rawValue),
                    "byteCount": 0, "modificationTime": 0, "version": "", "sha256": "", "changedAt": .integer(now),
                ], into: StoredFileSchema.files)
        }
    }

    /// Notes that an object holds a file. An object that the place had before is no longer needed.
    func store(_ file: StoredFile) async throws {
        let now = wallClock.now().millisecondsSince1970
        try await database.write { db in
            try db.execute(
                "UPDATE storedFile SET state = ?1, changedAt = ?2 WHERE place = ?3 AND state = ?4",
                .integer(State.dropped.rawValue), .integer(now), .text(file.place), .integer(State.stored.rawValue))
            try db.execute(
                """
                UPDATE storedFile SET state = ?1, changedAt = ?2, byteCount = ?3, modificationTime = ?4, version = ?5,
                    sha256 = ?6 WHERE objectKey = ?7
                """, .integer(State.stored.rawValue), .integer(now), .integer(file.byteCount),
                .integer(file.modificationTime), .text(file.version), .text(file.sha256), .text(file.key))
        }
    }

    /// Notes that objects are no longer needed.
    func drop(_ keys: [String]) async throws {
        let now = wallClock.now().millisecondsSince1970
        try await database.write { db in
            for key in keys {
                try db.execute(
                    "UPDATE storedFile SET state = ?1, changedAt = ?2 WHERE objectKey = ?3",
                    .integer(State.dropped.rawValue), .integer(now), .text(key))
            }
        }
    }

    /// Keys of objects that can be deleted, in their order.
    func dropped(after key: String, limit: Int) async throws -> [String] {
        let forgotten = (wallClock.now() - Self.maximumPutDuration).millisecondsSince1970
        return try await database.read { db in
            try db.rows(
                """
                SELECT objectKey FROM storedFile
                WHERE objectKey > ?1 AND (state = ?2 OR state = ?3 AND changedAt < ?4) ORDER BY objectKey LIMIT ?5
                """,
                [
                    .text(key), .integer(State.dropped.rawValue), .integer(State.begun.rawValue), .integer(forgotten),
                    SQLValue(limit),
                ]
            ) { row in try row.value(0) }
        }
    }

    /// Deletes the row of an object that is gone.
    func delete(_ key: String) async throws {
        try await database.write { db in
            try db.execute("DELETE FROM storedFile WHERE objectKey = ?1", .text(key))
        }
    }

    /// Reads the address of the store that holds the objects; `nil` if no object has a row.
    func address() async throws -> String? {
        try await database.read { db in
            guard try db.exists("SELECT 1 FROM storedFile LIMIT 1") else { return nil }
            return try db.firstValue("SELECT address FROM mediaStore WHERE number = 1")
        }
    }

    /// Notes the address of the store that objects are put into.
    func setAddress(_ address: String) async throws {
        try await database.write { db in
            try db.execute(StoredFileSchema.store.upsert, .integer(1), .text(address))
        }
    }
}

extension StoredFile {
    fileprivate init(_ row: SQLRow) throws(SQLError) {
        self.init(
            place: try row.value("place"), key: try row.value("objectKey"), byteCount: try row.value("byteCount"),
            modificationTime: try row.value("modificationTime"), version: try row.value("version"),
            sha256: try row.value("sha256"))
    }
}
