package import APIContract
import JSONDocument

/// The fields of a new topic of the forum.
package struct NewTopicFields: ObjectFields {
    package static let name = "NewTopic"
    package static let isClosed = true
    package static let fields = NewTopicFields()

    package let title = Field<String>(
        setting: TopicFields.fields.title, "title of 6 to 200 characters, unique in its category", .minimumLength(6),
        .example("Which camera?"))
    package let text = Field<String>(
        "text", "first comment, in a subset of Markdown; at most 1 MB", .minimumLength(1), .maximumLength(1_000_000))
    package let category = Field<String>(
        "category", "ID of the category; one of `category`, `channel` and `titleID`", .optional)
    package let channel = Field<String>("channel", "name of the channel that it is about", .optional)
    package let titleID = Field<String>("titleID", "ID of the title that it is about", .optional)
    package let notifies = Field<Bool>(
        "notifies", "whether members are notified of it", .optional, .standard(.boolean(true)))
    package let acceptsRules = Field<Bool>(
        "acceptsRules", "true to accept the rules, which a member has to do once", .optional)

    package init() {}
}
