package import APIContract

/// The fields of an entry of the audit log, which notes a change with its time and its author.
package struct AuditEntryFields: ObjectFields {
    package static let name = "AuditEntry"
    package static let fields = AuditEntryFields()
    package static let columns = [
        TableColumn("AT", fields.at), TableColumn("EVENT", fields.event), TableColumn("BY", fields.actor),
        TableColumn("FROM", fields.address), TableColumn("BEFORE", fields.before, .short),
        TableColumn("AFTER", fields.after, .short),
    ]

    package let number = Field<Int>("number", "number of the entry, which rises with each one")
    package let at = Field<APITime>("at", "time of the change")
    package let event = Field<String>("event", "kind of the change", .example("account.role"))
    package let actor = Field<String>(
        "actor", "author of the change: a username, also with the token that was used, or words such as stranger",
        .example("ana"))
    package let actorID = Field<String?>(
        "actorID", "ID of the author's account; null for strangers and for the server's own machine",
        .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let subjectID = Field<String?>(
        "subjectID", "ID of the account that was changed; null for a change of something else",
        .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let address = Field<String?>(
        "address", "network address of the author; null if there is none, and once the account was deleted",
        .example("192.0.2.7"))
    package let before = Field<String?>(
        "before", "value before the change; null for none, for credentials, and once the account was deleted",
        .example("member"))
    package let after = Field<String?>(
        "after", "value after the change; null for none, for credentials, and once the account was deleted",
        .example("operator"))

    package init() {}
}
