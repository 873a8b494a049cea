import Accounts
package import Database

/// The tables of the video club. Times are milliseconds since 1970 in UTC, and durations milliseconds. Titles are named
/// by their row numbers; see `TitleRows`.
package enum ClubSchema {
    static let terms = SQLTable(
        "titleTerms",
        [
            .integer("titleNumber"), .integer("price", .check("price >= 0")), .integer("needsRental"),
            .integer("timeToStart", .optional), .integer("timeToPlay", .optional),
            .integer("trailerNumber", .optional), .integer("revision"), .integer("regularPrice", .optional),
            .integer("featured", .default(0)),
        ], key: ["titleNumber"],
        indexes: [
            SQLIndex("titleTerms_trailer", "trailerNumber", where: "trailerNumber IS NOT NULL")
        ])
    static let versions = SQLTable(
        "clubVersion",
        [.text("name"), .integer("value")], key: ["name"])
    static let accounts = SQLTable(
        "creditAccount",
        [.text("account"), .integer("lineCount")], key: ["account"])
    static let movements = SQLTable(
        "creditMovement",
        [
            .identity("number"), .text("id", .unique), .text("reason"), .text("actorID", .optional),
            .text("requestKey", .optional, .unique), .text("note"), .text("rentalID", .optional),
            .text("reverses", .optional), .integer("happenedAt"),
        ],
        indexes: [
            SQLIndex("creditMovement_rental", "rentalID", where: "rentalID IS NOT NULL"),
            // A movement is taken back once.
            .unique("creditMovement_reverses", "reverses", where: "reverses IS NOT NULL"),
        ])
    /// The check of the balance is the last defence against an overdraft, if all others have a mistake.
    static let lines = SQLTable(
        "creditLine",
        [
            .integer("movement", .references("creditMovement", "number")), .text("account"), .integer("amount"),
            .integer("position", .optional), .integer("balance", .optional, .check("balance >= 0")),
        ], key: ["movement", "account"],
        indexes: [.unique("creditLine_position", "account", "position")])
    /// A rental of somebody who has left stays without a name.
    static let rentals = SQLTable(
        "rental",
        [
            .identity("number"), .text("id", .unique), .text("userID", .optional, .account(.setNull)),
            .integer("titleNumber"), .text("titleID"), .text("titleName"), .integer("price", .check("price >= 0")),
            .text("requestKey", .optional, .unique), .integer("rentedAt"), .integer("startsBefore", .optional),
            .integer("timeToPlay"), .integer("activatedAt", .optional), .integer("endsAt", .optional),
            .integer("endedAt", .optional), .text("endReason", .optional),
        ],
        indexes: [
            SQLIndex("rental_user", "userID", "number"),
            SQLIndex("rental_title", "userID", "titleNumber", "number"),
            SQLIndex("rental_expiry", "endsAt", where: "endedAt IS NULL"),
            SQLIndex("rental_start", "startsBefore", where: "endedAt IS NULL AND startsBefore IS NOT NULL"),
            SQLIndex("rental_early", "endsAt", where: "endedAt IS NOT NULL"),
            SQLIndex("rental_open", "titleNumber", where: "endedAt IS NULL"),
            // A member holds a title once.
            .unique("rental_held", "userID", "titleNumber", where: "endedAt IS NULL"),
        ])
    static let votes = SQLTable(
        "titleVote",
        [
            .integer("titleNumber"), .text("userID", .account),
            .integer("rating", .check("rating BETWEEN 1 AND 10")), .integer("votedAt"),
        ], key: ["titleNumber", "userID"],
        indexes: [SQLIndex("titleVote_user", "userID", "titleNumber")])

    static let devices = SQLTable(
        "clubDevice",
        [
            .identity("number"), .text("id", .unique), .text("userID", .account), .text("name"),
            .blob("digest", .unique), .blob("publicKey"), .integer("createdAt"), .integer("lastUsedAt", .optional),
            TokenReference.declaration,
        ],
        indexes: [SQLIndex("clubDevice_user", "userID", "number")])
    /// A rental has one copy of each rendition.
    static let copies = SQLTable(
        "offlineCopy",
        [
            .text("id"), .text("rentalID"), .text("rendition"), .text("revision"), .blob("salt"),
            .integer("byteCount"), .integer("chunkByteCount"), .blob("digest", .optional),
            .blob("chunkDigests", .optional), .integer("preparedAt", .optional),
        ], key: ["id"], uniques: [["rentalID", "rendition"]])
    static let downloads = SQLTable(
        "offlineDownload",
        [
            .text("copyID", .references("offlineCopy", "id", .cascade)),
            .text("deviceID", .references("clubDevice", "id", .cascade)), .text("state"), .integer("changedAt"),
        ], key: ["copyID", "deviceID"],
        indexes: [SQLIndex("offlineDownload_device", "deviceID")])
    static let lots = SQLTable(
        "creditLot",
        [
            .identity("number"), .integer("gift", .references("creditMovement", "number")),
            .integer("movement", .references("creditMovement", "number")), .text("account"), .integer("expiresAt"),
            .integer("amount", .check("amount > 0")),
            .integer("remaining", .check("remaining BETWEEN 0 AND amount")),
        ],
        indexes: [
            SQLIndex("creditLot_account", "account", "expiresAt", where: "remaining > 0"),
            SQLIndex("creditLot_expiry", "expiresAt", where: "remaining > 0"),
            SQLIndex("creditLot_gift", "gift"),
            SQLIndex("creditLot_movement", "movement"),
        ])
    static let lotUses = SQLTable(
        "creditLotUse",
        [
            .integer("movement", .references("creditMovement", "number")),
            .integer("lot", .references("creditLot", "number")), .integer("amount", .check("amount > 0")),
        ], key: ["movement", "lot"],
        indexes: [SQLIndex("creditLotUse_lot", "lot")])

    package static let schema = SQLSchema(
        domain: "video-club", migrations: ClubMigrations.all,
        tables: [
            terms, versions, accounts, movements, lines, rentals, votes, devices, copies, downloads, lots, lotUses,
        ])
}
