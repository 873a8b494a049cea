package import APIContract

/// The fields of a new announcement, or of a change of one.
package struct AnnouncementChangeFields: ObjectFields {
    package static let name = "AnnouncementChange"
    package static let isClosed = true
    package static let fields = AnnouncementChangeFields()

    package let text = Field<String>(
        setting: AnnouncementFields.fields.text, .optional, .minimumLength(1), .maximumLength(1000))
    package let audience = Field<String>(
        setting: AnnouncementFields.fields.audience, .optional, .oneOf("everyone", "members"))
    package let from = Field<APITime>(setting: AnnouncementFields.fields.from, .optional)
    package let until = Field<APITime?>(
        setting: AnnouncementFields.fields.until,
        "end of the time in which it is shown, later than `from`; null takes the end away", .optional)

    package init() {}
}
