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
        try db.execute(
            """
            INSERT INTO notificationPreference(userID, newVideos, aboutMe, followed, language, channels)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (userID) DO UPDATE SET newVideos = excluded.newVideos, aboutMe = excluded.aboutMe,
                followed = excluded.followed, language = excluded.language, channels = excluded.channels
            """, .text(user.text), SQLValue(preferences[.newVideos].rawValue),
            SQLValue(preferences[.aboutMe].rawValue), SQLValue(preferences[.followed].rawValue),
            SQLValue(preferences.language), SQLValue(NotificationChannels.all.rawValue))
    }
}
