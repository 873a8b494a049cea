import Accounts
package import Database

/// The tables of receivers and of what they are sent. Times are milliseconds since 1970 in UTC.
package enum WebhookSchema {
    static let receivers = SQLTable(
        "webhookReceiver",
        [
            .init("number", .integer), .init("id", .text), .init("ownerID", .text), .init("url", .text),
            .init("summary", .text), .init("types", .text), .init("subjectKind", .text), .init("subjectName", .text),
            .init("secret", .blob), .init("previousSecret", .blob), .init("previousSecretEndsAt", .integer),
            .init("createdAt", .integer), .init("disabledReason", .text), .init("failingSince", .integer),
            .init("heldUntil", .integer), .init("lastEvent", .integer), .init("revision", .integer),
            .init("leaseHolder", .text), .init("leaseEndsAt", .integer), .init(TokenReference.column, .text),
        ], key: ["number"], isNumbered: true)

    static let deliveries = SQLTable(
        "webhookDelivery",
        [
            .init("number", .integer), .init("id", .text), .init("receiverID", .text), .init("messageID", .text),
            .init("event", .integer), .init("type", .text), .init("subjectKind", .text), .init("subjectName", .text),
            .init("body", .text), .init("state", .text), .init("attemptCount", .integer),
            .init("missedCount", .integer), .init("createdAt", .integer), .init("dueAt", .integer),
            .init("attemptedAt", .integer), .init("status", .integer), .init("error", .text),
            .init("milliseconds", .integer), .init("replayOf", .text),
        ], key: ["number"], isNumbered: true)

    private static let indexes: [(name: String, columns: String)] = [
        ("webhookReceiver_ownerID", "webhookReceiver(ownerID)"),
        ("webhookDelivery_receiverID", "webhookDelivery(receiverID, number)"),
        ("webhookDelivery_state", "webhookDelivery(receiverID, state, number)"),
        ("webhookDelivery_due", "webhookDelivery(receiverID, dueAt) WHERE dueAt IS NOT NULL"),
        (
            "webhookDelivery_order",
            "webhookDelivery(receiverID, subjectKind, subjectName, number) WHERE state = 'pending'"
        ),
        ("webhookDelivery_createdAt", "webhookDelivery(createdAt)"),
    ]

    package static let schema = SQLSchema(
        domain: "webhooks",
        migrations: [
            SQLMigration(1, "webhooks", oldestCompatibleVersion: 1) { db in
                let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
                let blob = db.dialect.name(of: .blob)
                try db.execute(
                    """
                    CREATE TABLE webhookReceiver(
                        number \(db.dialect.identityColumn), id \(text) NOT NULL UNIQUE, ownerID \(text),
                        url \(text) NOT NULL, summary \(text) NOT NULL, types \(text) NOT NULL, subjectKind \(text),
                        subjectName \(text), secret \(blob) NOT NULL, previousSecret \(blob),
                        previousSecretEndsAt \(integer), createdAt \(integer) NOT NULL, disabledReason \(text),
                        failingSince \(integer), heldUntil \(integer), lastEvent \(integer) NOT NULL,
                        revision \(integer) NOT NULL, leaseHolder \(text), leaseEndsAt \(integer))
                    """)
                try db.execute(
                    """
                    CREATE TABLE webhookDelivery(
                        number \(db.dialect.identityColumn), id \(text) NOT NULL UNIQUE,
                        receiverID \(text) NOT NULL REFERENCES webhookReceiver(id) ON DELETE CASCADE,
                        messageID \(text) NOT NULL, event \(integer), type \(text) NOT NULL, subjectKind \(text),
                        subjectName \(text), body \(text) NOT NULL, state \(text) NOT NULL,
                        attemptCount \(integer) NOT NULL, missedCount \(integer), createdAt \(integer) NOT NULL,
                        dueAt \(integer), attemptedAt \(integer), status \(integer), error \(text),
                        milliseconds \(integer), replayOf \(text))
                    """)
                for index in indexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
            },
            // A server of the version before lets receivers outlive the tokens that have added them.
            SQLMigration(2, "tokens of webhooks", oldestCompatibleVersion: 1) { db in
                try db.execute("ALTER TABLE webhookReceiver ADD COLUMN \(TokenReference.definition(db.dialect))")
            },
        ], tables: [receivers, deliveries], indexes: indexes.map(\.name))
}
