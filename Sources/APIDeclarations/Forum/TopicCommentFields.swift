package import APIContract

/// The fields of a comment in a topic.
package struct TopicCommentFields: ObjectFields {
    package static let name = "TopicComment"
    package static let fields = TopicCommentFields()

    package let id = Field<String>("id", "identifier of the comment", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let topic = Field<String>("topic", "ID of the topic", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let topicTitle = Field<String>("topicTitle", "title of the topic", .example("Which camera?"))
    package let place = Field<Int>("place", "position in the topic, from 1; it never changes", .minimum(1))
    package let author = Field<String?>(
        "author", "username of the author; null for an account that was deleted", .example("ana"))
    package let authorPhoto = Field<String?>(
        "authorPhoto", "path of the author's photo, which members see; null without one", .optional)
    package let text = Field<String>(
        "text", "text in a subset of Markdown; lists have its first 10,000 characters",
        .example("> #12 @ana\n> quoted\n\nI **agree**."))
    package let cut = Field<Bool>("cut", "whether there is more text, which the comment by itself has")
    package let state = Field<String>(
        "state", "those that are not shown have no text, except for their authors and moderators",
        .oneOf("shown", "hidden", "deleted"))
    package let muted = Field<Bool>("muted", "whether the sender mutes or blocks the author")
    package let writtenAt = Field<APITime>("writtenAt", "time at which it was written")
    package let editedAt = Field<APITime?>("editedAt", "last change; null for none")
    package let page = Field<String>(
        "page", "path that leads to it", .example("/comunidad/foro/comentario/c5n1q8e7w3r9t2y6p4d0f8g7h5"))

    package init() {}
}
