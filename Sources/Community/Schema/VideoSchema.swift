import Accounts
import Database

/// The tables of published videos and of members' reactions to them. A video is named by its row number in all other
/// tables; everything about it goes with it.
enum VideoSchema {
    /// A video without an owner is the station's.
    static let videos = SQLTable(
        "communityVideo",
        [
            .identity("number"), .text("id", .unique), .integer("titleNumber", .unique),
            .text("ownerID", .optional, .account), .text("name"), .text("text"), .text("tags"),
            .integer("competition", .optional, .references("competition", "number", .setNull)),
            .integer("day", .optional), .text("visibility"), .text("commentPolicy"), .text("state"),
            .real("latitude", .optional), .real("longitude", .optional), .integer("publishedAt"),
            .integer("changedAt"), .integer("revision"),
        ],
        indexes: [
            SQLIndex("communityVideo_owner", "ownerID", "publishedAt"),
            SQLIndex("communityVideo_competition", "competition", where: "competition IS NOT NULL"),
            SQLIndex("communityVideo_places", "competition", "number", where: MapSchema.isIndexed),
            SQLIndex("communityVideo_placesOfDays", "competition", "day", "number", where: MapSchema.isIndexed),
        ])
    /// The counters of videos, with what lists are ordered and filtered by.
    static let counts = SQLTable(
        "videoCount",
        [
            .integer("video", .references("communityVideo", "number", .cascade)), .integer("isListed"),
            .text("ownerID", .optional), .integer("competition", .optional), .integer("day", .optional),
            .integer("likes", .check("likes >= 0")), .integer("comments", .check("comments >= 0")),
            .integer("views", .check("views >= 0")),
        ], key: ["video"],
        indexes: ["", "ownerID", "competition", "competition_day"].flatMap(countIndexes))
    static let likes = SQLTable(
        "videoLike",
        [
            .identity("number"), .integer("video", .references("communityVideo", "number", .cascade)),
            .text("userID", .account), .integer("likedAt"),
        ],
        indexes: [
            SQLIndex("videoLike_video", "video", "number"),
            SQLIndex("videoLike_user", "userID", "number"),
            .unique("videoLike_fact", "video", "userID"),
        ])
    static let comments = SQLTable(
        "videoComment",
        [
            .identity("number"), .text("id", .unique),
            .integer("video", .references("communityVideo", "number", .cascade)),
            .integer("parent", .optional, .references("videoComment", "number", .cascade)),
            .text("authorID", .optional, .account(.setNull)), .text("text"), .text("state"),
            .integer("replies", .check("replies >= 0")), .integer("writtenAt"), .integer("editedAt", .optional),
        ],
        indexes: [
            SQLIndex("videoComment_video", "video", "number", where: "parent IS NULL"),
            SQLIndex("videoComment_parent", "parent", "number", where: "parent IS NOT NULL"),
            SQLIndex("videoComment_author", "authorID", "writtenAt"),
        ])
    static let follows = SQLTable(
        "memberFollow",
        [
            .identity("number"), .text("follower", .account), .text("followed", .account), .integer("followedAt"),
        ], checks: ["follower <> followed"],
        indexes: [
            SQLIndex("memberFollow_follower", "follower", "number"),
            SQLIndex("memberFollow_followed", "followed", "number"),
            .unique("memberFollow_fact", "follower", "followed"),
        ])
    static let memberCounts = SQLTable(
        "memberCount",
        [
            .text("userID", .account), .integer("videos", .check("videos >= 0")),
            .integer("followers", .check("followers >= 0")), .integer("followings", .check("followings >= 0")),
        ], key: ["userID"])
    static let items = SQLTable(
        "moderatedItem",
        [
            .text("kind"), .text("subject"), .text("ownerID", .optional),
            .integer("reports", .check("reports >= 0")), .integer("crossings"), .integer("reportedAt"),
            .text("claimedBy", .optional), .integer("claimedUntil", .optional), .text("decision", .optional),
            .text("decisionNote", .optional), .integer("decidedAt", .optional), .text("appeal", .optional),
            .integer("appealedAt", .optional),
        ], key: ["kind", "subject"],
        indexes: [
            SQLIndex("moderatedItem_queue", "reportedAt", "subject", where: waiting),
            SQLIndex("moderatedItem_owner", "ownerID", "kind", "subject"),
        ])
    /// The weight of reports of versions that did not weigh them is `ReportWeight.usual`.
    static let reports = SQLTable(
        "itemReport",
        [
            .identity("number"), .text("kind"), .text("subject"), .text("reporterID", .optional, .account(.setNull)),
            .text("reason"), .text("text"), .integer("reportedAt"), .integer("decidedAt", .optional),
            .integer("weight", .default(2)),
        ],
        indexes: [
            SQLIndex("itemReport_item", "kind", "subject", "number"),
            SQLIndex("itemReport_reporter", "reporterID", "reportedAt"),
            .unique("itemReport_fact", "kind", "subject", "reporterID"),
        ])

    /// The words of videos, for search.
    static let textTable = "communityVideoText"

    static let tables = [videos, counts, likes, comments, follows, memberCounts, items, reports]

    /// The indexes of lists in one scope, such as the videos of a competition.
    private static func countIndexes(_ scope: String) -> [SQLIndex] {
        let columns = scope.split(separator: "_").map(String.init)
        let name = "videoCount_\(scope)"
        return [
            SQLIndex("\(name)_newest", columns + ["video"], where: "isListed = 1"),
            SQLIndex("\(name)_likes", columns + ["likes", "video"], where: "isListed = 1"),
        ]
    }

    /// Whether moderators have something to decide about an item.
    static let waiting = "(reports > 0 OR appealedAt IS NOT NULL)"
}
