package import APIContract

/// The fields of a video that the sender has sent, published or not.
package struct SentVideoFields: ObjectFields {
    package static let name = "SentVideo"
    package static let fields = SentVideoFields()

    package let id = Field<String>(
        "id", "identifier: the last part of the upload's address", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let state = Field<String>(
        "state", "state: bytes are missing, a title is being made, it can be played, it cannot, or it is published",
        .oneOf("receiving", "processing", "ready", "failed", "published"))
    package let fileName = Field<String>("fileName", "name of the file on the sender's device", .example("race.mp4"))
    package let bytes = Field<Double>("bytes", "size of the whole file in bytes")
    package let title = Field<String?>(
        "title",
        "ID of the title made of the file, kept from others until it is published; null until the file is complete",
        .optional, .example("video-c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let progress = Field<Double?>(
        "progress", "progress of the conversion from 0 to 1; null in other states", .optional)
    package let error = Field<String?>(
        "error", "reason why the video cannot be played; null if there is none", .optional)
    package let duration = Field<Double?>("duration", "duration in seconds; null if it is not known", .optional)
    package let playlist = Field<String?>(
        "playlist", "path of the HLS playlist, signed for 12 hours; null until the video can be played", .optional)
    package let poster = Field<String?>(
        "poster", "path of the poster, signed for 12 hours; null if there is none", .optional)
    package let name = Field<String>(
        "name", "name of the video; empty until the sender has named it", .example("Last lap"))
    package let text = VideoFields.fields.text
    package let tags = VideoFields.fields.tags
    package let competition = VideoFields.fields.competition
    package let day = VideoFields.fields.day
    package let latitude = VideoFields.fields.latitude
    package let longitude = VideoFields.fields.longitude
    package let visibility = VideoFields.fields.visibility
    package let commentPolicy = VideoFields.fields.commentPolicy
    package let publish = Field<Bool>("publish", "whether the video is published as soon as it can be played")
    package let problem = Field<String?>(
        "problem", "reason why the video could not be published; null if there is none", .optional)
    package let video = Field<String?>(
        "video", "ID of the published video; null until it is published", .optional,
        .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let createdAt = Field<APITime>("createdAt", "time at which the upload was started")

    package init() {}
}
