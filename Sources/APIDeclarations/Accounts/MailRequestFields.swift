package import APIContract

/// The fields of a request for a mail with a one-time link.
package struct MailRequestFields: ObjectFields {
    package static let name = "MailRequest"
    package static let isClosed = true
    package static let fields = MailRequestFields()

    package let email = Field<String>(
        "email", "e-mail address of the account", .minimumLength(1), .maximumLength(320), .example("ana@example.org"))

    package init() {}
}
