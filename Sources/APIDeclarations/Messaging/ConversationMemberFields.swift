package import APIContract

/// The fields of a member of a conversation.
package struct ConversationMemberFields: ObjectFields {
    package static let name = "ConversationMember"
    package static let fields = ConversationMemberFields()

    package let username = NamedMemberFields.fields.username
    package let photo = NamedMemberFields.fields.photo
    package let admin = Field<Bool>("admin", "whether the member is an admin of the group")
    package let joinedAt = Field<APITime>("joinedAt", "time since which they belong to it")
    package let deliveredThrough = Field<Int?>(
        "deliveredThrough",
        "sequence of the last message that they have received; null if they or the sender of the request send no marks"
    )
    package let readThrough = Field<Int?>(
        "readThrough", "sequence of the last message that they have read; null as for `deliveredThrough`")

    package init() {}
}
