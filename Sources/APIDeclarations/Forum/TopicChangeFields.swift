package import APIContract

/// The fields of a change of a topic.
package struct TopicChangeFields: ObjectFields {
    package static let name = "TopicChange"
    package static let isClosed = true
    package static let fields = TopicChangeFields()

    package let title = Field<String>(
        setting: NewTopicFields.fields.title, .optional, .minimumLength(6), .example("Which camera?"))
    package let locked = Field<Bool>(setting: TopicFields.fields.locked, .optional)
    package let pinned = Field<Bool>(setting: TopicFields.fields.pinned, .optional)
    package let category = Field<String>("category", "ID of the category to which it is moved", .optional)

    package init() {}
}
