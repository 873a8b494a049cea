package import Database

/// The tables of the inbox. Times are milliseconds since 1970 in UTC.
package enum SupportSchema {
    static let messages = SQLTable(
        "supportMessage",
        [
            .init("number", .integer), .init("id", .text), .init("sender", .text), .init("subject", .text),
            .init("text", .text), .init("userID", .text), .init("addressGroup", .text), .init("address", .text),
            .init("sentAt", .integer),
        ], key: ["number"], isNumbered: true)
    static let counters = SQLTable(
        "supportCounter", [.init("name", .text), .init("value", .integer)], key: ["name"])

    package static let schema = SQLSchema(
        domain: "support",
        migrations: [
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
        ],
        tables: [messages, counters], indexes: ["supportMessage_address"])
}
