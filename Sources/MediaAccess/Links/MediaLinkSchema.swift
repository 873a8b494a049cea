package import Database

/// The table of links. Times are milliseconds since 1970 in UTC. A link's code is not stored: it is computed from the
/// row and a key that is not in the database.
package enum MediaLinkSchema {
    static let links = SQLTable(
        "mediaLink",
        [
            .init("number", .integer), .init("id", .text), .init("name", .text), .init("folder", .text),
            .init("target", .text), .init("createdBy", .text), .init("createdAt", .integer),
            .init("expiresAt", .integer), .init("revokedAt", .integer),
        ], key: ["number"], isNumbered: true)

    static let publishLinks = SQLTable(
        "publishLink",
        [
            .init("number", .integer), .init("id", .text), .init("digest", .blob), .init("channel", .text),
            .init("name", .text), .init("createdAt", .integer), .init("expiresAt", .integer),
            .init("usedAt", .integer), .init("usedBy", .text), .init("revokedAt", .integer),
        ], key: ["number"], isNumbered: true)

    private static let indexes: [(name: String, columns: String)] = [
        ("mediaLink_expiresAt", "mediaLink(expiresAt)"),
        ("mediaLink_revoked", "mediaLink(expiresAt) WHERE revokedAt IS NOT NULL"),
    ]

    package static let schema = SQLSchema(
        domain: "media-access",
        migrations: [
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
        ],
        tables: [links, publishLinks], indexes: (indexes + publishIndexes).map(\.name))

    private static let publishIndexes: [(name: String, columns: String)] = [
        ("publishLink_channel", "publishLink(channel, number)"),
        ("publishLink_expiresAt", "publishLink(expiresAt)"),
    ]
}
