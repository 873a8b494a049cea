package import APIContract

/// The fields of a change of one's own comment in a topic.
package struct TopicCommentChangeFields: ObjectFields {
    package static let name = "TopicCommentChange"
    package static let isClosed = true
    package static let fields = TopicCommentChangeFields()

    package let text = Field<String>(
        setting: NewTopicCommentFields.fields.text, .minimumLength(1), .maximumLength(1_000_000))

    package init() {}
}
