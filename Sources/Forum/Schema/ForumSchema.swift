import Accounts
package import Database

/// The tables of the forum. Times are milliseconds since 1970 in UTC. Categories, topics and comments are named by
/// their row numbers in other tables.
///
/// The comments of a topic are numbered without gaps, and one that is deleted keeps its place, so that any page of a
/// topic is a range of an index.
package enum ForumSchema {
    /// The categories of operators, and one for each channel and title that members have topics about. The subject is
    /// the name without case and accents, the name of the channel, or the ID of the title.
    static let categories = SQLTable(
        "forumCategory",
        [
            .identity("number"), .text("id", .unique), .text("kind"), .text("subject"), .text("name"), .text("text"),
            .integer("place"), .integer("topics", .check("topics >= 0")), .integer("createdAt"),
        ],
        indexes: [
            .unique("forumCategory_subject", "kind", "subject"),
            SQLIndex("forumCategory_list", "place", "number", where: "kind = 'general'"),
        ])
    /// `places` is the number of the last comment, those that were deleted included.
    static let topics = SQLTable(
        "forumTopic",
        [
            .identity("number"), .text("id", .unique),
            .integer("category", .references("forumCategory", "number")), .text("kind"), .text("title"),
            .text("titleKey"), .text("authorID", .optional, .account(.setNull)), .text("state"), .integer("isListed"),
            .integer("isLocked"), .integer("isPinned"), .integer("notifies"),
            .integer("comments", .check("comments >= 0")), .integer("places", .check("places >= 0")),
            .integer("createdAt"), .integer("lastAt"), .integer("editedAt", .optional), .integer("revision"),
        ],
        indexes: [
            .unique("forumTopic_title", "category", "titleKey"),
            SQLIndex("forumTopic_latest", "lastAt", "number", where: "isListed = 1"),
            SQLIndex("forumTopic_category", "category", "isPinned", "lastAt", "number", where: "state = 'shown'"),
            SQLIndex("forumTopic_author", "authorID", "createdAt"),
            SQLIndex("forumTopic_deleted", "number", where: "state = 'deleted'"),
        ])
    static let comments = SQLTable(
        "forumComment",
        [
            .identity("number"), .text("id", .unique), .integer("topic", .references("forumTopic", "number", .cascade)),
            .integer("place"), .text("authorID", .optional, .account(.setNull)), .text("text"), .text("state"),
            .integer("notifies"), .integer("writtenAt"), .integer("editedAt", .optional),
        ],
        indexes: [
            .unique("forumComment_place", "topic", "place"),
            SQLIndex("forumComment_author", "authorID", "writtenAt"),
        ])
    /// The members who have commented in a topic.
    static let participants = SQLTable(
        "forumParticipant",
        [.integer("topic", .references("forumTopic", "number", .cascade)), .text("userID", .account)],
        key: ["topic", "userID"], indexes: [SQLIndex("forumParticipant_user", "userID")])
    /// The comments that a comment quotes.
    static let quotes = SQLTable(
        "forumQuote",
        [
            .integer("comment", .references("forumComment", "number", .cascade)),
            .integer("quoted", .references("forumComment", "number", .cascade)),
        ], key: ["comment", "quoted"], indexes: [SQLIndex("forumQuote_quoted", "quoted")])
    /// Members' choices: parts of the forum to follow, or to hear nothing of. The subject is the row number of a
    /// category or topic, 0 for the whole forum.
    static let follows = SQLTable(
        "forumFollow",
        [
            .text("userID", .account), .text("scope"), .integer("subject"), .integer("isOn"), .integer("changedAt"),
        ], key: ["userID", "scope", "subject"], indexes: [SQLIndex("forumFollow_subject", "scope", "subject", "userID")]
    )
    /// The rules as an operator has written them; a language without a row has those of the program.
    static let rules = SQLTable(
        "forumRules", [.text("language"), .text("text"), .integer("changedAt")], key: ["language"])
    /// The members who have accepted the rules.
    static let acceptances = SQLTable(
        "forumAcceptance", [.text("userID", .account), .integer("acceptedAt")], key: ["userID"])

    /// The words of comments, and of the title with the first one, for search.
    static let textTable = "forumText"

    package static let schema = SQLSchema(
        domain: "forum",
        tables: [categories, topics, comments, participants, quotes, follows, rules, acceptances],
        fullTextTables: [textTable]
    ) { db in try ForumText.rebuild(db) }
}
