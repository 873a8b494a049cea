package import APIContract

/// The fields of an announcement that the sender is shown.
package struct ShownAnnouncementFields: ObjectFields {
    package static let name = "ShownAnnouncement"
    package static let fields = ShownAnnouncementFields()

    package let id = Field<String>("id", "identifier of the announcement", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let text = Field<String>(
        "text", "text, which may have **bold**, *italic* and [links](https://example.org)",
        .example("Maintenance **tonight at ten**"))
    package let from = Field<APITime>("from", "time from which it is shown")
    package let until = Field<APITime?>(
        "until", "end of the time in which it is shown; null for one that is shown until it is deleted")

    package init() {}
}
