package import Database

/// The table of requests with a key. Times are milliseconds since 1970 in UTC.
package enum IdempotencySchema {
    static let requests = SQLTable(
        "idempotentRequest",
        [
            .init("digest", .blob), .init("sender", .text), .init("fingerprint", .blob), .init("begunAt", .integer),
            .init("response", .blob),
        ], key: ["digest"])

    private static let indexes: [(name: String, columns: String)] = [
        ("idempotentRequest_sender", "idempotentRequest(sender, begunAt)"),
        ("idempotentRequest_begunAt", "idempotentRequest(begunAt)"),
    ]

    package static let schema = SQLSchema(
        domain: "idempotency",
        migrations: [
            SQLMigration(1, "requests with a key", oldestCompatibleVersion: 1) { db in
                let (text, blob) = (db.dialect.name(of: .text), db.dialect.name(of: .blob))
                try db.execute(
                    """
                    CREATE TABLE idempotentRequest(
                        digest \(blob) PRIMARY KEY, sender \(text) NOT NULL, fingerprint \(blob) NOT NULL,
                        begunAt \(db.dialect.name(of: .integer)) NOT NULL, response \(blob))
                    """)
                for index in indexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
            }
        ], tables: [requests], indexes: indexes.map(\.name))
}
