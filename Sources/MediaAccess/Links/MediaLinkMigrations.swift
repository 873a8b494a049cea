import Database

/// The published migrations of links. They are never edited; a new column needs none, see `SQLColumn`.
enum MediaLinkMigrations {
    static let all = [
        SQLMigration(1, "links", oldestCompatibleVersion: 1) { db in
            let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
            try db.execute(
                """
                CREATE TABLE mediaLink(
                    number \(db.dialect.identityColumn), id \(text) NOT NULL UNIQUE, name \(text) NOT NULL,
                    folder \(text) NOT NULL, target \(text) NOT NULL, createdBy \(text),
                    createdAt \(integer) NOT NULL, expiresAt \(integer) NOT NULL, revokedAt \(integer))
                """)
            for index in indexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
        },
        SQLMigration(2, "links for publishers", oldestCompatibleVersion: 1) { db in
            let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
            try db.execute(
                """
                CREATE TABLE publishLink(
                    number \(db.dialect.identityColumn), id \(text) NOT NULL UNIQUE,
                    digest \(db.dialect.name(of: .blob)) NOT NULL UNIQUE, channel \(text) NOT NULL,
                    name \(text) NOT NULL, createdAt \(integer) NOT NULL, expiresAt \(integer) NOT NULL,
                    usedAt \(integer), usedBy \(text), revokedAt \(integer))
                """)
            for index in publishIndexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
        },
    ]

    private static let indexes: [(name: String, columns: String)] = [
        ("mediaLink_expiresAt", "mediaLink(expiresAt)"),
        ("mediaLink_revoked", "mediaLink(expiresAt) WHERE revokedAt IS NOT NULL"),
    ]

    private static let publishIndexes: [(name: String, columns: String)] = [
        ("publishLink_channel", "publishLink(channel, number)"),
        ("publishLink_expiresAt", "publishLink(expiresAt)"),
    ]
}
