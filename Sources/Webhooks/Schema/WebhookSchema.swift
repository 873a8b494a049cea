import Accounts
package import Database

/// The tables of receivers and their messages. Times are milliseconds since 1970 in UTC.
package enum WebhookSchema {
    static let receivers = SQLTable(
        "webhookReceiver",
        [
            .identity("number"), .text("id", .unique), .text("ownerID", .optional), .text("url"), .text("summary"),
            .text("types"), .text("subjectKind", .optional), .text("subjectName", .optional), .blob("secret"),
            .blob("previousSecret", .optional), .integer("previousSecretEndsAt", .optional), .integer("createdAt"),
            .text("disabledReason", .optional), .integer("failingSince", .optional),
            .integer("heldUntil", .optional), .integer("lastEvent"), .integer("revision"),
            .text("leaseHolder", .optional), .integer("leaseEndsAt", .optional), TokenReference.declaration,
        ],
        indexes: [SQLIndex("webhookReceiver_ownerID", "ownerID")])

    static let deliveries = SQLTable(
        "webhookDelivery",
        [
            .identity("number"), .text("id", .unique),
            .text("receiverID", .references("webhookReceiver", "id", .cascade)), .text("messageID"),
            .integer("event", .optional), .text("type"), .text("subjectKind", .optional),
            .text("subjectName", .optional), .text("body"), .text("state"), .integer("attemptCount"),
            .integer("missedCount", .optional), .integer("createdAt"), .integer("dueAt", .optional),
            .integer("attemptedAt", .optional), .integer("status", .optional), .text("error", .optional),
            .integer("milliseconds", .optional), .text("replayOf", .optional),
        ],
        indexes: [
            SQLIndex("webhookDelivery_receiverID", "receiverID", "number"),
            SQLIndex("webhookDelivery_state", "receiverID", "state", "number"),
            SQLIndex("webhookDelivery_due", "receiverID", "dueAt", where: "dueAt IS NOT NULL"),
            SQLIndex(
                "webhookDelivery_order", "receiverID", "subjectKind", "subjectName", "number",
                where: "state = 'pending'"),
            SQLIndex("webhookDelivery_createdAt", "createdAt"),
        ])

    package static let schema = SQLSchema(
        domain: "webhooks", migrations: WebhookMigrations.all,
        tables: [receivers, deliveries])
}
