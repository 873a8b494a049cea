package import APIContract

/// The fields of a video that a notification is about.
package struct NotificationItemVideoFields: ObjectFields {
    package static let name = "NotificationItemVideo"
    package static let fields = NotificationItemVideoFields()

    package let id = Field<String>("id", "ID of the video", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let name = Field<String>("name", "name of the video", .example("Start of the first stage"))
    package let competition = Field<String?>(
        "competition", "ID of the competition that the video is from; null for none",
        .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let competitionName = Field<String?>(
        "competitionName", "name of the competition; null for none", .example("Rally de Otoño"))
    package let day = Field<Int?>("day", "day of the competition, from 1; null for none")

    package init() {}
}
