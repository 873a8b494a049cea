import Accounts
package import Database

/// The tables of the inbox. Times are milliseconds since 1970 in UTC.
package enum SupportSchema {
    static let messages = SQLTable(
        "supportMessage",
        [
            .identity("number"), .text("id", .unique), .text("sender"), .text("subject"), .text("text"),
            .text("userID", .optional, .account(.setNull)), .text("addressGroup"), .text("address"),
            .integer("sentAt"),
        ],
        indexes: [SQLIndex("supportMessage_address", "addressGroup", "sentAt")])
    static let counters = SQLTable(
        "supportCounter",
        [.text("name"), .integer("value")], key: ["name"])

    package static let schema = SQLSchema(
        domain: "support", migrations: SupportMigrations.all,
        tables: [messages, counters])
}
