import Database

/// The published migrations of the inbox. They are never edited; a new column needs none, see `SQLColumn`.
enum SupportMigrations {
    static let all = [
        SQLMigration(1, "messages", oldestCompatibleVersion: 1) { db in
            let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
            try db.execute(
                """
                CREATE TABLE supportMessage(
                    number \(db.dialect.identityColumn), id \(text) NOT NULL UNIQUE, sender \(text) NOT NULL,
                    subject \(text) NOT NULL, text \(text) NOT NULL,
                    userID \(text) REFERENCES account(id) ON DELETE SET NULL, addressGroup \(text) NOT NULL,
                    address \(text) NOT NULL, sentAt \(integer) NOT NULL)
                """)
            try db.execute(
                "CREATE INDEX supportMessage_address ON supportMessage(addressGroup, sentAt)")
            try db.execute("CREATE TABLE supportCounter(name \(text) PRIMARY KEY, value \(integer) NOT NULL)")
        }
    ]
}
