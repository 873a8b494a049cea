package import APIContract

/// The fields of the place up to which the sender has received and read a conversation.
package struct ConversationMarksFields: ObjectFields {
    package static let name = "ConversationMarks"
    package static let isClosed = true
    package static let fields = ConversationMarksFields()

    package let delivered = Field<Int>(
        "delivered", "sequence of the last message that has arrived", .optional, .minimum(0))
    package let read = Field<Int>(
        "read", "sequence of the last message that was read, which has arrived as well", .optional, .minimum(0))

    package init() {}
}
