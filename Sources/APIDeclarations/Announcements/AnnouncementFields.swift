package import APIContract

/// The fields of an announcement on top of every page.
package struct AnnouncementFields: ObjectFields {
    package static let name = "Announcement"
    package static let fields = AnnouncementFields()
    package static let columns = [
        TableColumn("ID", fields.id), TableColumn("SHOWN", fields.shown, .yesOrNo), TableColumn("FOR", fields.audience),
        TableColumn("FROM", fields.from), TableColumn("UNTIL", fields.until), TableColumn("TEXT", fields.text, .short),
    ]

    package let id = Field<String>("id", "identifier of the announcement", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let text = Field<String>(
        "text", "text, which may have **bold**, *italic* and [links](https://example.org)",
        .example("Maintenance **tonight at ten**"))
    package let audience = Field<String>(
        "audience", "audience of the announcement: all visitors, or members", .oneOf("everyone", "members"))
    package let from = Field<APITime>("from", "time from which it is shown")
    package let until = Field<APITime?>(
        "until", "end of the time in which it is shown; null for one that is shown until it is deleted")
    package let author = Field<String?>(
        "author", "ID of the author's account; null for the server's own token, and for an account that was deleted",
        .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let createdAt = Field<APITime>("createdAt", "time of creation")
    package let shown = Field<Bool>("shown", "whether it is shown at the moment")

    package init() {}
}
