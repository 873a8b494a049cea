package import APIContract

/// The fields of a change of the sender's e-mail address.
package struct EmailChangeFields: ObjectFields {
    package static let name = "EmailChange"
    package static let isClosed = true
    package static let fields = EmailChangeFields()

    package let email = Field<String>(
        setting: AccountFields.fields.email, "new e-mail address", .minimumLength(1), .maximumLength(320),
        .example("ana@example.org"))
    package let currentPassword = Field<String?>(
        "currentPassword", "present password; an account without one has to have logged in within 15 minutes",
        .optional, .maximumLength(1000))

    package init() {}
}
