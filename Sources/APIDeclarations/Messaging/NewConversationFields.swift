package import APIContract

/// The fields of a conversation that is opened: of two with `with`, a group with `name`.
package struct NewConversationFields: ObjectFields {
    package static let name = "NewConversation"
    package static let isClosed = true
    package static let fields = NewConversationFields()

    package let with = Field<String>(
        "with", "username of the other member of a conversation of two", .optional, .minimumLength(1),
        .maximumLength(100), .example("leo"))
    package let groupName = Field<String>(
        "name", "name of a group", .optional, .minimumLength(1), .maximumLength(100), .example("Final"))
    package let members = Field<[String]>(
        "members", "usernames of contacts of the sender who belong to the group", .optional, .maximumCount(255))

    package init() {}
}
