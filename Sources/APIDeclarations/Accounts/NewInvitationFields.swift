package import APIContract

/// The fields of a new invitation.
package struct NewInvitationFields: ObjectFields {
    package static let name = "NewInvitation"
    package static let isClosed = true
    package static let fields = NewInvitationFields()

    package let role = Field<String?>(
        setting: OneTimeLinkFields.fields.role,
        "role of the new account; the initial role of channels.json if null or missing", .optional, .example("member"))
    package let email = Field<String?>(
        setting: OneTimeLinkFields.fields.email,
        "e-mail address of the invited person, for the list of invitations; no mail is sent", .optional,
        .maximumLength(320), .example("ana@example.org"))

    package init() {}
}
