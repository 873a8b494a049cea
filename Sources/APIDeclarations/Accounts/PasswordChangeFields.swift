package import APIContract

/// The fields of a change of the sender's password.
package struct PasswordChangeFields: ObjectFields {
    package static let name = "PasswordChange"
    package static let isClosed = true
    package static let fields = PasswordChangeFields()

    package let password = Field<String>(
        "password", "new password; short and very common ones are refused", .minimumLength(1), .maximumLength(1000))
    package let currentPassword = Field<String?>(
        "currentPassword", "present password; an account without one has to have logged in within 15 minutes",
        .optional, .maximumLength(1000))

    package init() {}
}
