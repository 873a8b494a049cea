package import APIContract

/// The fields of a message to the operators that has arrived.
package struct SentSupportMessageFields: ObjectFields {
    package static let name = "SentSupportMessage"
    package static let fields = SentSupportMessageFields()

    package let id = Field<String>("id", "identifier of the message", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let sentAt = Field<APITime>("sentAt", "time at which the message arrived")

    package init() {}
}
