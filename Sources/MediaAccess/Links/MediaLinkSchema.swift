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
            }
        ],
        tables: [links], indexes: indexes.map(\.name))
}
