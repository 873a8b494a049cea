package import APIContract

/// The fields of an activity in the community.
package struct ActivityFields: ObjectFields {
    package static let name = "Activity"
    package static let fields = ActivityFields()
    package static let columns = [
        TableColumn("AT", fields.happenedAt), TableColumn("WHAT", fields.kind), TableColumn("WHO", fields.actor),
        TableColumn("VIDEO", fields.videoName, .short), TableColumn("TEXT", fields.text, .short),
    ]

    package let kind = Field<String>(
        "kind", "kind of the activity: a new follower, a like, a comment, or an answer to a comment",
        .oneOf("follower", "like", "comment", "reply"))
    package let actor = Field<String>("actor", "username of the member who did it", .example("leo"))
    package let video = Field<String?>(
        "video", "ID of the video; null for a follower", .optional, .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let videoName = Field<String?>(
        "videoName", "name of the video; null for a follower", .optional, .example("Start of the first stage"))
    package let comment = Field<String?>(
        "comment", "ID of the comment; null for a follower and for a like", .optional,
        .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let text = Field<String?>("text", "text of the comment; null for a follower and for a like", .optional)
    package let happenedAt = Field<APITime>("happenedAt", "time of the activity")

    package init() {}
}
