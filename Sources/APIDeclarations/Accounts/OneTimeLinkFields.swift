package import APIContract

/// The fields of a link that works once: an invitation, or one that sets a new password.
package struct OneTimeLinkFields: ObjectFields {
    package static let name = "OneTimeLink"
    package static let fields = OneTimeLinkFields()
    package static let columns = [
        TableColumn("ID", fields.id), TableColumn("ROLE", fields.role), TableColumn("E-MAIL", fields.email),
        TableColumn("CREATED", fields.createdAt), TableColumn("EXPIRES", fields.expiresAt),
    ]

    package let id = Field<String>("id", "identifier of the link", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let purpose = Field<String>(
        "purpose", "purpose of the link, such as invitation or passwordReset", .example("invitation"))
    package let role = Field<String?>(
        "role", "role of the account that the link creates; null for a link that creates none", .example("member"))
    package let email = Field<String?>(
        "email", "e-mail address of the invited person; null if there is none", .example("ana@example.org"))
    package let createdAt = Field<APITime>("createdAt", "time of creation")
    package let expiresAt = Field<APITime>("expiresAt", "end of the time in which the link can be used")
    package let link = Field<String>(
        "link", "address of the link, a path if the server does not know its own; only in the answer that makes it",
        .optional)

    package init() {}
}
