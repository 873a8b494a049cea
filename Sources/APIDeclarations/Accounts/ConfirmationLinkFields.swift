package import APIContract

/// The fields of a request that confirms an e-mail address by a one-time link.
package struct ConfirmationLinkFields: ObjectFields {
    package static let name = "ConfirmationLink"
    package static let isClosed = true
    package static let fields = ConfirmationLinkFields()

    package let link = Field<String>(
        "link", "value of `link` in the address of the one-time link", .minimumLength(1), .maximumLength(100))

    package init() {}
}
