package import APIContract

/// The fields of a new message to the operators.
package struct NewSupportMessageFields: ObjectFields {
    package static let name = "NewSupportMessage"
    package static let isClosed = true
    package static let fields = NewSupportMessageFields()

    package let sender = Field<String>(
        setting: SupportMessageFields.fields.sender, "way to reach the sender, such as an e-mail address",
        .minimumLength(1), .maximumLength(200), .example("ana@example.org"))
    package let subject = Field<String>(
        setting: SupportMessageFields.fields.subject, .minimumLength(1), .maximumLength(200))
    package let text = Field<String>(setting: SupportMessageFields.fields.text, .minimumLength(1), .maximumLength(5000))

    package init() {}
}
