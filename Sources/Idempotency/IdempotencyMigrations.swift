import Database

/// The published migrations of requests with a key. They are never edited; a new column needs none, see `SQLColumn`.
enum IdempotencyMigrations {
    static let all = [
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
    ]

    private static let indexes: [(name: String, columns: String)] = [
        ("idempotentRequest_sender", "idempotentRequest(sender, begunAt)"),
        ("idempotentRequest_begunAt", "idempotentRequest(begunAt)"),
    ]
}
