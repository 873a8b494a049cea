package import Database

/// The table of links. Times are milliseconds since 1970 in UTC. A link's code is not stored: it is computed from the
/// row and a key that is not in the database.
package enum MediaLinkSchema {
    static let links = SQLTable(
        "mediaLink",
        [
            .identity("number"), .text("id", .unique), .text("name"), .text("folder"), .text("target"),
            .text("createdBy", .optional), .integer("createdAt"), .integer("expiresAt"),
            .integer("revokedAt", .optional),
        ],
        indexes: [
            SQLIndex("mediaLink_expiresAt", "expiresAt"),
            SQLIndex("mediaLink_revoked", "expiresAt", where: "revokedAt IS NOT NULL"),
        ])

    static let publishLinks = SQLTable(
        "publishLink",
        [
            .identity("number"), .text("id", .unique), .blob("digest", .unique), .text("channel"), .text("name"),
            .integer("createdAt"), .integer("expiresAt"), .integer("usedAt", .optional), .text("usedBy", .optional),
            .integer("revokedAt", .optional),
        ],
        indexes: [
            SQLIndex("publishLink_channel", "channel", "number"),
            SQLIndex("publishLink_expiresAt", "expiresAt"),
        ])

    package static let schema = SQLSchema(
        domain: "media-access", migrations: MediaLinkMigrations.all,
        tables: [links, publishLinks])
}
