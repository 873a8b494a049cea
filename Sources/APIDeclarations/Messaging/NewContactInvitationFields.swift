package import APIContract

/// The fields of a new invitation to become contacts.
package struct NewContactInvitationFields: ObjectFields {
    package static let name = "NewContactInvitation"
    package static let isClosed = true
    package static let fields = NewContactInvitationFields()

    package let username = Field<String>(
        setting: NamedMemberFields.fields.username, .minimumLength(1), .maximumLength(100))
    package let text = Field<String>(
        setting: ContactInvitationFields.fields.text, .optional, .maximumLength(1000))

    package init() {}
}
