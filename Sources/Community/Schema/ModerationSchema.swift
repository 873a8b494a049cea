import Accounts
import Database

/// The moderation tables: the members whom each blocks and mutes, and moderators' decisions.
enum ModerationSchema {
    static let barriers = SQLTable(
        "memberBarrier",
        [
            .identity("number"), .text("userID", .account), .text("otherID", .account), .text("kind"),
            .integer("madeAt"),
        ], checks: ["userID <> otherID"],
        indexes: [
            SQLIndex("memberBarrier_user", "userID", "kind", "number"),
            SQLIndex("memberBarrier_other", "otherID"),
            .unique("memberBarrier_fact", "userID", "otherID", "kind"),
        ])
    static let records = SQLTable(
        "moderationRecord",
        [
            .identity("number"), .text("userID", .account), .text("event"), .text("kind"), .text("subject"),
            .text("text"), .text("moderator"), .integer("happenedAt"),
        ],
        indexes: [SQLIndex("moderationRecord_user", "userID", "number")])

    /// How the reports of members were decided.
    static let reporters = SQLTable(
        "reporterRecord",
        [.text("userID", .account), .integer("confirmed"), .integer("rejected")], key: ["userID"])

    static let tables = [barriers, records, reporters]
}
