package import APIContract

/// The fields of an announcement that the sender is shown.
package struct ShownAnnouncementFields: ObjectFields {
    package static let name = "ShownAnnouncement"
    package static let fields = ShownAnnouncementFields()

    package let id = AnnouncementFields.fields.id
    package let text = AnnouncementFields.fields.text
    package let from = AnnouncementFields.fields.from
    package let until = AnnouncementFields.fields.until

    package init() {}
}
