package import APIContract

/// The fields of a message of somebody who needs help.
package struct SupportMessageFields: ObjectFields {
    package static let name = "SupportMessage"
    package static let fields = SupportMessageFields()
    package static let columns = [
        TableColumn("AT", fields.sentAt), TableColumn("ID", fields.id), TableColumn("SENDER", fields.sender, .short),
        TableColumn("SUBJECT", fields.subject, .short),
    ]

    package let id = Field<String>("id", "identifier of the message", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let sender = Field<String>(
        "sender", "way to reach the sender, which nobody has checked; empty if the sender's account was deleted",
        .example("ana@example.org"))
    package let subject = Field<String>("subject", "subject of the message")
    package let text = Field<String>("text", "text of the message")
    package let user = Field<String?>(
        "user", "ID of the sender's account; null for a stranger", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let address = Field<String>(
        "address", "network address that the message came from; empty if the sender's account was deleted",
        .example("192.0.2.7"))
    package let sentAt = Field<APITime>("sentAt", "time at which the message arrived")

    package init() {}
}
