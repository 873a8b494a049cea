package import APIContract

/// The fields of the sender's notification preferences.
package struct NotificationPreferencesFields: ObjectFields {
    package static let name = "NotificationPreferences"
    package static let isClosed = true
    package static let fields = NotificationPreferencesFields()

    package let newVideos = Field<NotificationWays>(
        "newVideos", "ways for new videos, those of competitions that the sender follows, and live channels")
    package let newTopics = Field<NotificationWays>(
        "newTopics", "ways for new topics of the forum; unchanged if missing", .optional)
    package let aboutMe = Field<NotificationWays>(
        "aboutMe",
        "ways for all about the sender: followers, comments, answers, replies in topics, likes, decisions, rentals, uploads"
    )
    package let followed = Field<NotificationWays>(
        "followed",
        "ways for new videos and likes of members, and comments in topics and categories, that the sender follows")

    package init() {}
}
