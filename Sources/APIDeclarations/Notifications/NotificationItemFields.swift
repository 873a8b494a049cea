package import APIContract

/// The fields of one of the things that a notification is about.
package struct NotificationItemFields: ObjectFields {
    package static let name = "NotificationItem"
    package static let fields = NotificationItemFields()

    package let actor = Field<String?>(
        "actor", "username of the account that did it; null if nobody is named", .example("leo"))
    package let happenedAt = Field<APITime>("happenedAt", "time at which it happened")
    package let video = Field<APIObject<NotificationItemVideoFields>?>("video", "video that it is about; null for none")
    package let comment = Field<String?>(
        "comment", "ID of the comment that was written; null for none", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let title = Field<String?>("title", "ID of the title of a rental; null for none", .example("film"))
    package let channel = Field<String?>(
        "channel", "name of the channel in addresses; null for none", .optional, .example("canalA"))
    package let name = Field<String?>(
        "name", "name of the title of a rental, title of a channel, or name of an upload; null for none",
        .example("Garden of life"))
    package let topic = Field<String?>(
        "topic", "ID of the topic of the forum; null for none", .optional, .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let topicTitle = Field<String?>(
        "topicTitle", "title of the topic; null for none", .optional, .example("Which camera?"))
    package let topicComment = Field<String?>(
        "topicComment", "ID of the comment that was written in the topic; null for none", .optional,
        .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let decision = Field<String?>(
        "decision", "decision of the moderators; null for none", .oneOf("restored", "hidden", "deleted"))
    package let reported = Field<String?>(
        "reported", "kind of the reported item, never the reporter; null for none",
        .oneOf("video", "comment", "profile", "topicComment"))
    package let page = Field<String?>(
        "page", "path of the page that it opens; null if there is none",
        .example("/comunidad/video/c5n1q8e7w3r9t2y6p4d0f8g7h5"))

    package init() {}
}
