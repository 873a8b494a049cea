package import APIContract

/// The fields of a change of a video.
package struct VideoChangeFields: ObjectFields {
    package static let name = "VideoChange"
    package static let isClosed = true
    package static let fields = VideoChangeFields()

    package let title = Field<String>(
        setting: VideoFields.fields.title, "ID of another title for the video to play; likes and comments stay",
        .optional, .minimumLength(1), .example("film"))
    package let name = Field<String>(
        setting: VideoFields.fields.name, .optional, .minimumLength(1), .maximumLength(120),
        .example("Start of the first stage"))
    package let text = NewVideoFields.fields.text
    package let tags = NewVideoFields.fields.tags
    package let competition = NewVideoFields.fields.competition
    package let day = NewVideoFields.fields.day
    package let latitude = NewVideoFields.fields.latitude
    package let longitude = NewVideoFields.fields.longitude
    package let visibility = NewVideoFields.fields.visibility
    package let commentPolicy = NewVideoFields.fields.commentPolicy

    package init() {}
}
