package import Database

/// The table of requests with a key. Times are milliseconds since 1970 in UTC.
package enum IdempotencySchema {
    static let requests = SQLTable(
        "idempotentRequest",
        [
            .blob("digest"), .text("sender"), .blob("fingerprint"), .integer("begunAt"),
            .blob("response", .optional),
        ], key: ["digest"],
        indexes: [
            SQLIndex("idempotentRequest_sender", "sender", "begunAt"),
            SQLIndex("idempotentRequest_begunAt", "begunAt"),
        ])

    package static let schema = SQLSchema(
        domain: "idempotency", migrations: IdempotencyMigrations.all,
        tables: [requests])
}
