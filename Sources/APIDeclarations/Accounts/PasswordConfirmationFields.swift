package import APIContract

/// The fields of a confirmation by the owner of an account.
package struct PasswordConfirmationFields: ObjectFields {
    package static let name = "PasswordConfirmation"
    package static let isClosed = true
    package static let fields = PasswordConfirmationFields()

    package let currentPassword = Field<String?>(
        "currentPassword", "present password; an account without one has to have logged in within 15 minutes",
        .optional, .maximumLength(1000))

    package init() {}
}
