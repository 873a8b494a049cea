import Accounts
import Database

/// The tables of members' profiles and activities.
enum MemberSchema {
    /// Members without a row have not changed anything.
    static let profiles = SQLTable(
        "memberProfile",
        [
            .text("userID", .account), .text("about"), .text("visibility"), .integer("showsFollows"),
            .integer("showsLikes"), .text("state"),
        ], key: ["userID"])
    static let activities = SQLTable(
        "memberActivity",
        [
            .identity("number"), .text("ownerID", .account), .text("actorID", .account), .text("kind"),
            .integer("video", .optional, .references("communityVideo", "number", .cascade)),
            .integer("comment", .optional, .references("videoComment", "number", .cascade)), .integer("happenedAt"),
        ],
        indexes: [
            SQLIndex("memberActivity_owner", "ownerID", "number"),
            SQLIndex("memberActivity_actor", "actorID", "kind", "video"),
            SQLIndex("memberActivity_video", "video", where: "video IS NOT NULL"),
            SQLIndex("memberActivity_comment", "comment", where: "comment IS NOT NULL"),
        ])

    static let tables = [profiles, activities]
}
