package import APIContract

/// The fields of a decision of moderators about a member, or of a warning.
package struct ModerationRecordFields: ObjectFields {
    package static let name = "ModerationRecord"
    package static let fields = ModerationRecordFields()
    package static let columns = [
        TableColumn("AT", fields.happenedAt), TableColumn("DECISION", fields.event), TableColumn("ABOUT", fields.kind),
        TableColumn("ID", fields.id), TableColumn("TEXT", fields.text, .short),
    ]

    package let event = Field<String>(
        "event", "decision about the item, a warning, or a suspension",
        .oneOf("restored", "hidden", "deleted", "warned", "suspended"))
    package let kind = Field<String>("kind", "kind of the item", .oneOf("video", "comment", "profile", "topicComment"))
    package let id = Field<String>(
        "id", "ID of the video or comment, or of the account whose profile it is",
        .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let text = Field<String>("text", "note that the member reads; empty for none")
    package let moderator = Field<String>(
        "moderator", "username of the moderator; for moderators only", .optional, .example("ana"))
    package let happenedAt = Field<APITime>("happenedAt", "time of the decision")

    package init() {}
}
