package import APIContract

/// The fields of an invitation to become contacts.
package struct ContactInvitationFields: ObjectFields {
    package static let name = "ContactInvitation"
    package static let fields = ContactInvitationFields()

    package let id = Field<String>("id", "ID of the invitation", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let from = Field<APIObject<NamedMemberFields>>("from", "member who invites")
    package let to = Field<APIObject<NamedMemberFields>>("to", "member who is invited")
    package let text = Field<String>("text", "text of the invitation; may be empty", .example("Shall we watch it?"))
    package let sentAt = Field<APITime>("sentAt", "time at which it was sent")
    package let state = Field<String>("state", "state of the invitation", .oneOf("open", "accepted", "refused"))
    package let page = Field<String>(
        "page", "path of the page on which it is answered", .format("uri-reference"),
        .example("/comunidad/mensajes/invitaciones/c5n1q8e7w3r9t2y6p4d0f8g7h5"))

    package init() {}
}
