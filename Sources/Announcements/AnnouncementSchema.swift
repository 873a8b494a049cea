import Accounts
package import Database

/// The table of announcements. Times are milliseconds since 1970 in UTC.
package enum AnnouncementSchema {
    static let announcements = SQLTable(
        "announcement",
        [
            .identity("number"), .text("id", .unique), .text("text"), .text("audience"), .integer("startsAt"),
            .integer("endsAt", .optional), .text("author", .optional, .account(.setNull)), .integer("createdAt"),
            .integer("revision"),
        ],
        indexes: [SQLIndex("announcement_author", "author")])

    package static let schema = SQLSchema(domain: "announcements", tables: [announcements])
}
