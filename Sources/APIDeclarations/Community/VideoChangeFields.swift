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
    package let text = Field<String?>(setting: VideoFields.fields.text, .optional, .maximumLength(5000))
    package let tags = Field<[String]?>(
        setting: VideoFields.fields.tags, .optional, .maximumCount(20), .each(.minimumLength(1), .maximumLength(40)))
    package let competition = Field<String?>(
        setting: VideoFields.fields.competition, .optional, .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let day = Field<Int?>(setting: VideoFields.fields.day, .optional, .minimum(1))
    package let latitude = Field<Double?>(setting: VideoFields.fields.latitude, .optional, .minimum(-90), .maximum(90))
    package let longitude = Field<Double?>(
        setting: VideoFields.fields.longitude, .optional, .minimum(-180), .maximum(180))
    package let visibility = Field<String>(
        setting: VideoFields.fields.visibility, .optional, .oneOf("public", "unlisted"))
    package let commentPolicy = Field<String>(
        setting: VideoFields.fields.commentPolicy, .optional, .oneOf("open", "approval", "closed"))

    package init() {}
}
