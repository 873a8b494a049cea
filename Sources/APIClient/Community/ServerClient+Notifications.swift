package import APIContract
package import APIDeclarations

extension ServerClient {
    /// The notifications of the session's owner, the latest first.
    package func notifications(limit: Int) async throws -> [APIObject<NotificationFields>] {
        try await items(in: NotificationAPI.listNotifications, limit: limit)
    }

    /// Marks notifications as read, and returns how many are still unread.
    ///
    /// - Parameters:
    ///   - id: a notification; `nil` for all.
    ///   - through: whether all that changed before it are marked, too.
    package func markNotificationsRead(
        _ id: String?, through: Bool
    ) async throws -> APIObject<UnreadNotificationsFields> {
        let marked = ReadNotificationsFields.request { marked in
            [id.map { through ? marked.through($0) : marked.id($0) }]
        }
        return try await send(NotificationAPI.markNotificationsRead, body: marked)
    }

    package func notificationPreferences() async throws -> APIObject<NotificationPreferencesFields> {
        try await send(NotificationAPI.getNotificationPreferences)
    }

    /// Changes by which ways the owner of the session is told, and returns the result.
    package func changeNotificationPreferences(
        _ change: APIObject<NotificationPreferencesChangeFields>
    ) async throws -> APIObject<NotificationPreferencesFields> {
        try await send(NotificationAPI.changeNotificationPreferences, body: change)
    }
}
