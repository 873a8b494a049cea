package import APIContract

/// The fields of a notification: all of one kind and topic that has happened in an hour.
package struct NotificationFields: ObjectFields {
    package static let name = "Notification"
    package static let fields = NotificationFields()

    package let id = Field<String>("id", "identifier of the notification", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let kind = Field<String>(
        "kind", "kind of the things that have happened",
        .oneOf(
            "new-video", "competition-video", "channel-live", "follower", "comment", "reply", "like", "decision",
            "rental-ending", "upload-ready", "upload-failed", "reported", "report-waiting", "support-message",
            "new-topic", "topic-reply", "followed-topic", "contact-invitation", "contact-added", "contact-refused",
            "followed-video", "followed-like"))
    package let group = Field<String>(
        "group", "group of the kind in the preferences", .oneOf("newVideos", "newTopics", "aboutMe", "followed"))
    package let count = Field<Int>("count", "number of the things that have happened", .minimum(1))
    package let changedAt = Field<APITime>("changedAt", "time at which the number changed last")
    package let readAt = Field<APITime?>("readAt", "time at which the sender read it; null while it is unread")
    package let page = Field<String?>(
        "page", "path of the page that it opens; null if its subject is gone",
        .example("/comunidad/video/c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let items = Field<[APIObject<NotificationItemFields>]>(
        "items", "newest things without those that are gone, the last one first", .maximumCount(3))

    package init() {}
}
