package import APIContract

/// The fields of a change of the sender's notification preferences.
package struct NotificationPreferencesChangeFields: ObjectFields {
    package static let name = "NotificationPreferencesChange"
    package static let isClosed = true
    package static let fields = NotificationPreferencesChangeFields()

    package let newVideos = Field<NotificationWays?>(setting: NotificationPreferencesFields.fields.newVideos, .optional)
    package let newTopics = Field<NotificationWays?>(setting: NotificationPreferencesFields.fields.newTopics, .optional)
    package let aboutMe = Field<NotificationWays?>(setting: NotificationPreferencesFields.fields.aboutMe, .optional)
    package let followed = Field<NotificationWays?>(setting: NotificationPreferencesFields.fields.followed, .optional)

    package init() {}
}
