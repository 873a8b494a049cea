package import APIContract

/// The fields of a change of a member of a group.
package struct ConversationMemberChangeFields: ObjectFields {
    package static let name = "ConversationMemberChange"
    package static let isClosed = true
    package static let fields = ConversationMemberChangeFields()

    package let admin = Field<Bool>(setting: ConversationMemberFields.fields.admin)

    package init() {}
}
