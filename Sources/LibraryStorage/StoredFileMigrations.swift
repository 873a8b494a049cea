import Database

/// The published migrations of stored files. They are never edited; a new column needs none, see `SQLColumn`.
enum StoredFileMigrations {
    static let all = [
        SQLMigration(1, "files in the media store", oldestCompatibleVersion: 1) { db in try create(db) }
    ]

    private static func create(_ db: any SQLConnection) throws(SQLError) {
        let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
        try db.execute(
            """
            CREATE TABLE storedFile(
                objectKey \(text) PRIMARY KEY, place \(text) NOT NULL, state \(integer) NOT NULL,
                byteCount \(integer) NOT NULL, modificationTime \(integer) NOT NULL, version \(text) NOT NULL,
                sha256 \(text) NOT NULL, changedAt \(integer) NOT NULL)
            """)
        // A place has one object; objects that are being put, or wait to be deleted, do not count.
        try db.execute("CREATE UNIQUE INDEX storedFile_place ON storedFile(place) WHERE state = 1")
        try db.execute("CREATE INDEX storedFile_state ON storedFile(state, objectKey)")
        try db.execute("CREATE TABLE mediaStore(number \(integer) PRIMARY KEY, address \(text) NOT NULL)")
    }
}
