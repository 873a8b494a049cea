import Database

/// Published migrations; see ``CommunityMigrations``.
enum UploadMigrations {
    private static let indexes: [(name: String, columns: String)] = [
        ("memberUpload_owner", "memberUpload(ownerID, number)"),
        ("memberUpload_title", "memberUpload(titleNumber)"),
        ("memberUpload_video", "memberUpload(video) WHERE video IS NOT NULL"),
        // What the server has to do something about.
        ("memberUpload_open", "memberUpload(number) WHERE isOpen = 1"),
    ]

    static let migration = SQLMigration(5, "uploads of members", oldestCompatibleVersion: 1) { db in
        let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
        // An upload outlives the account of its member until its file is deleted.
        try db.execute(
            """
            CREATE TABLE memberUpload(
                number \(db.dialect.identityColumn), id \(text) NOT NULL UNIQUE,
                ownerID \(text) REFERENCES account(id) ON DELETE SET NULL, upload \(text), file \(text) NOT NULL UNIQUE,
                fileName \(text) NOT NULL, byteCount \(integer) NOT NULL CHECK (byteCount > 0),
                contents \(text) NOT NULL, isWanted \(integer) NOT NULL, problem \(text), isPrepared \(integer) NOT NULL,
                isRemoved \(integer) NOT NULL, isOpen \(integer) NOT NULL, titleNumber \(integer),
                video \(integer) REFERENCES communityVideo(number) ON DELETE SET NULL, createdAt \(integer) NOT NULL,
                revision \(integer) NOT NULL)
            """)
        for index in indexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
    }
}
