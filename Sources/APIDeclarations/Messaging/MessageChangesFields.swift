package import APIContract

/// The fields of the messages that are new in a conversation after a change.
package struct MessageChangesFields: ObjectFields {
    package static let name = "MessageChanges"
    package static let fields = MessageChangesFields()

    package let items = Field<[APIObject<MessageFields>]>(
        "items", "messages that are new or have changed, in the order of the changes", .maximumCount(100))
    package let complete = Field<Bool>(
        "complete", "whether these are all; otherwise ask again after the `change` of the last one")
    package let conversation = Field<APIObject<ConversationFields>>("conversation", "conversation as it is then")

    package init() {}
}
