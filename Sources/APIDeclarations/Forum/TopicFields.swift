package import APIContract

/// The fields of a topic of the forum.
package struct TopicFields: ObjectFields {
    package static let name = "Topic"
    package static let fields = TopicFields()
    package static let columns = [
        TableColumn("ID", fields.id), TableColumn("LAST COMMENT", fields.lastCommentAt),
        TableColumn("COMMENTS", fields.comments), TableColumn("AUTHOR", fields.author),
        TableColumn("TITLE", fields.title, .short),
    ]

    package let id = Field<String>("id", "identifier of the topic", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let title = Field<String>("title", "title", .example("Which camera?"))
    package let category = Field<APIObject<TopicCategoryFields>>("category", "category")
    package let author = Field<String?>(
        "author", "username of the author; null for an account that was deleted", .example("ana"))
    package let authorPhoto = Field<String?>(
        "authorPhoto", "path of the author's photo, which members see; null without one", .optional)
    package let state = Field<String>(
        "state", "hidden ones are shown to their authors and to moderators", .oneOf("shown", "hidden"))
    package let locked = Field<Bool>("locked", "whether only moderators may comment")
    package let pinned = Field<Bool>("pinned", "whether it is in front of the other topics of its category")
    package let comments = Field<Int>("comments", "number of comments that are shown", .minimum(0))
    package let lastPlace = Field<Int>(
        "lastPlace", "number of the last comment, deleted ones included: the last page is `lastPlace` / 20, rounded up",
        .minimum(0))
    package let createdAt = Field<APITime>("createdAt", "time at which it was begun")
    package let lastCommentAt = Field<APITime>("lastCommentAt", "time of the last comment")
    package let editedAt = Field<APITime?>("editedAt", "last change of the title; null for none")
    package let page = Field<String>(
        "page", "path of its page", .example("/comunidad/foro/tema/c5n1q8e7w3r9t2y6p4d0f8g7h5"))

    package init() {}
}
