package import APIContract

/// The fields of the rules of the forum.
package struct TopicRulesFields: ObjectFields {
    package static let name = "TopicRules"
    package static let fields = TopicRulesFields()

    package let language = Field<String>("language", "language of the text", .example("en"))
    package let text = Field<String>("text", "rules in Markdown", .example("1. Be kind."))
    package let own = Field<Bool>("own", "whether an operator has written them; otherwise they come with the program")
    package let accepted = Field<Bool?>("accepted", "whether the sender has accepted them; null for strangers")

    package init() {}
}
