package import APIContract

/// The fields of a choice of a member: to follow a part of the forum, or to hear nothing of it.
package struct TopicFollowFields: ObjectFields {
    package static let name = "TopicFollow"
    package static let fields = TopicFollowFields()

    package let scope = Field<String>(
        "scope", "the whole forum, a category or a topic",
        .oneOf("all", "category", "topic"))
    package let id = Field<String?>("id", "ID of the category or topic; null for the whole forum")
    package let name = Field<String?>("name", "name of the category, or title of the topic; null for the whole forum")
    package let state = Field<String>(
        "state", "`following` is told of all comments, `silent` of nothing", .oneOf("following", "silent"))

    package init() {}
}
