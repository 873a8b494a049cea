package import APIContract

/// The fields of a request that sets a new password by a one-time link.
package struct PasswordResetFields: ObjectFields {
    package static let name = "PasswordReset"
    package static let isClosed = true
    package static let fields = PasswordResetFields()

    package let link = Field<String>(
        setting: ConfirmationLinkFields.fields.link, .minimumLength(1), .maximumLength(100))
    package let password = Field<String>(
        setting: PasswordChangeFields.fields.password, .minimumLength(1), .maximumLength(1000))

    package init() {}
}
