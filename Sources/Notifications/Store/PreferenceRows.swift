import Accounts
import Database

/// The rows of preferences. Each function runs inside the transaction of its caller.
enum PreferenceRows {
    static func preferences(of user: UserID, _ db: any SQLConnection) throws -> NotificationPreferences {
        try db.first(
            """
            SELECT \(NotificationSchema.preferences.columnList(without: "userID")) FROM notificationPreference
            WHERE userID = ?1
            """,
            [.text(user.text)]
        ) { row in
            var preferences = try NotificationPreferences(row)
            preferences.language = try row.optional("language")
            return preferences
        } ?? NotificationPreferences()
    }

    static func set(_ preferences: NotificationPreferences, of user: UserID, _ db: any SQLConnection) throws {
        try db.upsert(
            [
                "userID": .text(user.text), "newVideos": SQLValue(preferences[.newVideos].rawValue),
                "aboutMe": SQLValue(preferences[.aboutMe].rawValue),
                "newTopics": SQLValue(preferences[.newTopics].rawValue),
                "followed": SQLValue(preferences[.followed].rawValue), "language": SQLValue(preferences.language),
                "channels": SQLValue(NotificationChannels.all.rawValue),
            ], into: NotificationSchema.preferences)
    }
}
