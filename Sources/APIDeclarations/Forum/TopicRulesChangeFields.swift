package import APIContract

/// The fields of new rules of the forum.
package struct TopicRulesChangeFields: ObjectFields {
    package static let name = "TopicRulesChange"
    package static let isClosed = true
    package static let fields = TopicRulesChangeFields()

    package let language = Field<String>(setting: TopicRulesFields.fields.language, .oneOf("en", "es"))
    package let text = Field<String>(
        setting: TopicRulesFields.fields.text, "rules in Markdown; empty for those of the program",
        .maximumLength(20_000))

    package init() {}
}
