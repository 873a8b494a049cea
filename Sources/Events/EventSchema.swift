package import Database

/// The tables of the journal. Times are milliseconds since 1970 in UTC.
package enum EventSchema {
    static let events = SQLTable(
        "event",
        [
            .integer("number"), .text("type"), .text("subjectKind"), .text("subjectName"), .integer("happenedAt"),
            .text("json"), .text("origin", .optional, .unique),
        ], key: ["number"],
        indexes: [SQLIndex("event_happenedAt", "happenedAt")])

    /// One row, whose lock makes writers take turns, so that numbers become visible in their order. The first event
    /// makes it: a new database is empty, so that another one can be copied into it.
    static let journal = SQLTable(
        "eventJournal",
        [.integer("id"), .integer("lastNumber")], key: ["id"])

    package static let schema = SQLSchema(
        domain: "events", migrations: EventMigrations.all,
        tables: [events, journal])
}
