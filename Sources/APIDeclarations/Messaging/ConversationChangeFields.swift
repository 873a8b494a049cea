package import APIContract

/// The fields of a change of a conversation.
package struct ConversationChangeFields: ObjectFields {
    package static let name = "ConversationChange"
    package static let isClosed = true
    package static let fields = ConversationChangeFields()

    package let groupName = Field<String>(
        "name", "new name of a group, by an admin", .optional, .minimumLength(1), .maximumLength(100))
    package let muted = Field<Bool>(setting: ConversationFields.fields.muted, .optional)

    package init() {}
}
