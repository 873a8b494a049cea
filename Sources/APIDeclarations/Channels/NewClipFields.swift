package import APIContract

/// The fields of a new clip of a channel.
package struct NewClipFields: ObjectFields {
    package static let name = "NewClip"
    package static let fields = NewClipFields()

    package let from = Field<Moment>("from", "beginning of the clip")
    package let to = Field<Moment>("to", "end of the clip")
    package let title = Field<String>(
        setting: TitleFields.fields.title, "name of the new title; made of the channel and the time if missing",
        .optional, .minimumLength(1), .maximumLength(200), .example("Goal"))

    package init() {}
}
