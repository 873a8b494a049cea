package import APIContract
import JSONDocument

/// The fields of a new comment in a topic.
package struct NewTopicCommentFields: ObjectFields {
    package static let name = "NewTopicComment"
    package static let isClosed = true
    package static let fields = NewTopicCommentFields()

    package let text = Field<String>(
        setting: TopicCommentFields.fields.text,
        "text in a subset of Markdown, at most 1 MB; a quote whose first line is like `> #12 @ana` quotes the comment 12",
        .minimumLength(1), .maximumLength(1_000_000))
    package let notifies = Field<Bool>(setting: NewTopicFields.fields.notifies, .optional, .standard(.boolean(true)))
    package let acceptsRules = Field<Bool>(setting: NewTopicFields.fields.acceptsRules, .optional)

    package init() {}
}
