package import APIContract

/// The fields of a conversation as the sender sees it.
package struct ConversationFields: ObjectFields {
    package static let name = "Conversation"
    package static let fields = ConversationFields()

    package let id = Field<String>("id", "ID of the conversation", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let kind = Field<String>("kind", "kind of the conversation: of two, or a group", .oneOf("pair", "group"))
    package let groupName = Field<String?>("name", "name of a group; null for a conversation of two")
    package let with = Field<APIObject<NamedMemberFields>?>(
        "with", "other member of a conversation of two; null in groups, and for a deleted account")
    package let members = Field<Int>("members", "number of members", .minimum(1))
    package let createdAt = Field<APITime>("createdAt", "time at which it was made")
    package let admin = Field<Bool>("admin", "whether the sender is an admin of the group")
    package let request = Field<Bool>("request", "whether it waits for the sender to accept it")
    package let muted = Field<Bool>("muted", "whether it does not count in the sender's badges")
    package let lastSequence = Field<Int>("lastSequence", "sequence of the last message", .minimum(0))
    package let lastChange = Field<Int>("lastChange", "number of the last change", .minimum(0))
    package let readThrough = Field<Int>("readThrough", "sequence of the last message that the sender has read")
    package let unread = Field<Int>("unread", "number of unread messages, counted up to 100", .maximum(100))
    package let lastMessage = Field<APIObject<MessageFields>?>(
        "lastMessage", "last message that the sender sees; null without one")
    package let page = Field<String>(
        "page", "path of the conversation's page", .format("uri-reference"),
        .example("/comunidad/mensajes/c/c5n1q8e7w3r9t2y6p4d0f8g7h5"))

    package init() {}
}
