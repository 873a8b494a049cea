package import APIContract

/// The fields of a replacement of a webhook's secret.
package struct SecretReplacementFields: ObjectFields {
    package static let name = "SecretReplacement"
    package static let isClosed = true
    package static let fields = SecretReplacementFields()

    package let keepPreviousFor = Field<Int?>(
        "keepPreviousFor",
        "seconds for which messages are signed with the previous secret, too; a day if null or missing", .optional,
        .minimum(0), .maximum(604800))

    package init() {}
}
