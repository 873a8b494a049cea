import Database

/// The published migrations of webhooks. They are never edited; a new column needs none, see `SQLColumn`.
enum WebhookMigrations {
    static let all = [
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
            let reference = "REFERENCES accountToken(id) ON DELETE CASCADE"
            try db.execute("ALTER TABLE webhookReceiver ADD COLUMN tokenID \(db.dialect.name(of: .text)) \(reference)")
        },
    ]

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
}
