import Accounts
import Database

/// The tables of competitions. A day is a number of days since 1970 in the calendar of the competition's time zone.
///
/// `startsAt` and `endsAt` are what the rules of time zones said when the row was written. They order lists and choose
/// what is in them; states always follow from the dates.
enum CompetitionSchema {
    static let competitions = SQLTable(
        "competition",
        [
            .identity("number"), .text("id", .unique), .text("name"), .text("nameKey"), .text("description"),
            .text("timeZone"), .integer("firstDay"), .integer("dayCount", .check("dayCount > 0")),
            .integer("startsAt"), .integer("endsAt"), .text("image", .optional), .integer("revision"),
            .integer("createdAt"), .integer("changedAt"), .text("standings"), .text("map", .optional),
        ],
        indexes: [SQLIndex("competition_start", "startsAt", "number")])
    static let images = SQLTable(
        "competitionImage",
        [
            .integer("competition", .references("competition", "number", .cascade)), .blob("jpeg"),
        ], key: ["competition"])

    static let follows = SQLTable(
        "competitionFollow",
        [
            .identity("number"), .integer("competition", .references("competition", "number", .cascade)),
            .text("userID", .account), .integer("followedAt"),
        ], uniques: [["competition", "userID"]],
        indexes: [SQLIndex("competitionFollow_user", "userID", "number")])

    static let tables = [competitions, images, follows]
}
