import Accounts
package import Database

/// The tables of notifications. Times are milliseconds since 1970 in UTC.
///
/// A deed is what has happened, written in the transaction in which it happens. A notification names its newest deeds
/// by their numbers; names of members and videos are looked up when it is shown, and are not copied.
package enum NotificationSchema {
    static let deeds = SQLTable(
        "notificationDeed",
        [
            .identity("number"), .text("identity", .unique), .text("kind"), .text("actorID", .optional, .account),
            .text("receiverID", .optional, .account), .text("video", .optional), .text("comment", .optional),
            .text("subject", .optional), .text("detail", .optional), .integer("happenedAt"), .text("state"),
            .text("reached"), .integer("dueAt"),
        ],
        indexes: [
            SQLIndex("notificationDeed_due", "dueAt", "number", where: "state = 'pending'"),
            SQLIndex("notificationDeed_happenedAt", "happenedAt"),
            SQLIndex("notificationDeed_actor", "actorID"),
            SQLIndex("notificationDeed_receiver", "receiverID"),
            SQLIndex("notificationDeed_video", "video", where: "video IS NOT NULL"),
        ])
    static let notifications = SQLTable(
        "notification",
        [
            .identity("number"), .text("id", .unique), .text("receiverID", .account), .text("kind"), .text("topic"),
            .integer("windowAt"), .integer("count", .check("count > 0")), .integer("deed1"),
            .integer("deed2", .optional), .integer("deed3", .optional), .integer("changedAt"),
            .integer("readAt", .optional), .integer("revision"), .integer("isListed"),
            .integer("mailDueAt", .optional), .integer("pushDueAt", .optional), .integer("pushCount"),
            .integer("webhookDueAt", .optional),
        ], uniques: [["receiverID", "kind", "topic", "windowAt"]],
        indexes: [
            SQLIndex("notification_list", "receiverID", "changedAt", "number", where: "isListed = 1"),
            SQLIndex("notification_unread", "receiverID", where: "isListed = 1 AND readAt IS NULL"),
            SQLIndex("notification_revision", "receiverID", "revision"),
            SQLIndex("notification_changedAt", "changedAt"),
            SQLIndex("notification_deed", "deed1"),
            SQLIndex("notification_mail", "mailDueAt", "receiverID", where: "mailDueAt IS NOT NULL"),
            SQLIndex("notification_push", "pushDueAt", "number", where: "pushDueAt IS NOT NULL"),
            SQLIndex("notification_webhook", "webhookDueAt", "number", where: "webhookDueAt IS NOT NULL"),
        ])
    /// The revision of each member's notifications, which rises with each change.
    static let states = SQLTable(
        "notificationState",
        [.text("userID", .account), .integer("revision")], key: ["userID"])
    static let preferences = SQLTable(
        "notificationPreference",
        [
            .text("userID", .account), .integer("newVideos"), .integer("aboutMe"), .integer("followed"),
            .text("language", .optional), .integer("channels", .default(7)),
            .integer("newTopics", .default(13), .since(6)),
        ], key: ["userID"])
    /// Browsers that want push messages.
    static let subscriptions = SQLTable(
        "pushSubscription",
        [
            .identity("number"), .text("id", .unique), .text("userID", .account), .text("endpoint", .unique),
            .blob("publicKey"), .blob("authentication"), .text("language"), .integer("createdAt"),
            TokenReference.declaration,
        ],
        indexes: [SQLIndex("pushSubscription_user", "userID", "number")])
    /// How far the journal of events was read.
    static let positions = SQLTable(
        "notificationPosition",
        [.text("name"), .integer("number")], key: ["name"])

    package static let schema = SQLSchema(
        domain: "notifications", migrations: NotificationMigrations.all,
        tables: [deeds, notifications, states, preferences, subscriptions, positions])
}
