package import APIContract

/// The fields of a choice to follow something in the forum, or to hear nothing of it.
package struct TopicFollowChangeFields: ObjectFields {
    package static let name = "TopicFollowChange"
    package static let isClosed = true
    package static let fields = TopicFollowChangeFields()

    package let state = Field<String>(
        setting: TopicFollowFields.fields.state,
        "`following` to be told of all comments, `silent` to be told of nothing, `usual` for new topics and for comments where one talks oneself",
        .oneOf("following", "silent", "usual"))

    package init() {}
}
