package import Accounts
import Database
package import MediaCore

extension Notifications {
    /// The badge counts up to this number.
    package static let maximumUnreadCount = 100
    /// Limit of the changes that a device is told one by one.
    package static let maximumChangeCount = 100

    /// A page of a member's notifications, the one that changed last first, and the number of unread ones.
    ///
    /// - Parameters:
    ///   - user: the member.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    /// - Throws: `Refusal` with `invalidCursor`.
    package func notifications(
        of user: UserID, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> (page: ListPage<MemberNotification>, unread: Int) {
        let size = ListPage<MemberNotification>.size(limit)
        let start = try cursor.map { try NotificationCursor(parsing: $0) } ?? .beginning
        return try await database.read { db in
            let rows = try NotificationRows.page(of: user, before: start, limit: size + 1, db)
            var page = ListPage(rows, size: size) {
                NotificationCursor(changedAt: $0.changedAt, number: $0.number).text
            }
            page.items = try Self.filled(page.items, reader: user, db)
            return (page, try NotificationRows.unreadCount(of: user, limit: Self.maximumUnreadCount, db))
        }
    }

    static func filled(
        _ notifications: [MemberNotification], reader: UserID, _ db: any SQLConnection
    ) throws -> [MemberNotification] {
        let items = try ItemRows.items(notifications.flatMap(\.deeds), reader: reader, db)
        return notifications.map { notification in
            var notification = notification
            notification.items = notification.deeds.compactMap { items[$0] }
            return notification
        }
    }

    /// A notification of a member; `nil` if there is no such notification.
    package func notification(_ id: OpaqueID, of user: UserID) async throws -> MemberNotification? {
        try await database.read { db in
            try Self.filled(try NotificationRows.notification(id, of: user, db).map { [$0] } ?? [], reader: user, db)
                .first
        }
    }

    /// All that a member is told and has chosen, for the export of the member's data.
    package func allNotifications(
        of user: UserID
    ) async throws -> (notifications: [MemberNotification], preferences: NotificationPreferences) {
        try await database.read { db in
            let rows = try NotificationRows.page(
                of: user, before: .beginning, limit: NotificationSettings.maximumCount, db)
            return (try Self.filled(rows, reader: user, db), try PreferenceRows.preferences(of: user, db))
        }
    }

    /// The number for the badge: unread notifications, up to ``maximumUnreadCount``.
    package func unreadCount(of user: UserID) async throws -> Int {
        try await database.read { db in
            try NotificationRows.unreadCount(of: user, limit: Self.maximumUnreadCount, db)
        }
    }

    /// Marks one notification as read.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func markRead(_ id: OpaqueID, of user: UserID) async throws { try await mark(.one(id), of: user) }

    /// Marks a notification, and all that changed before it, as read.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func markRead(through id: OpaqueID, of user: UserID) async throws {
        try await mark(.through(id), of: user)
    }

    /// Marks all notifications of a member as read.
    package func markAllRead(of user: UserID) async throws { try await mark(.all, of: user) }

    private func mark(_ marked: NotificationRows.Marked, of user: UserID) async throws {
        let now = now
        let (isFound, revision) = try await database.write { db in
            (
                try NotificationRows.mark(marked, of: user, at: now, db),
                try NotificationRows.revision(of: user, db)
            )
        }
        guard isFound else { throw Refusal(.notFound, "you have no such notification") }
        streams.tell([user: revision])
    }

    // MARK: Preferences

    package func preferences(of user: UserID) async throws -> NotificationPreferences {
        try await database.read { db in try PreferenceRows.preferences(of: user, db) }
    }

    /// Changes by which ways a member is notified.
    ///
    /// - Parameters:
    ///   - user: the member.
    ///   - language: the language in which they choose, such as `es`; `nil` keeps the one that is known.
    ///   - body: makes the change.
    /// - Returns: the preferences after the change.
    /// - Throws: any error of `body`.
    package func changePreferences(
        of user: UserID, language: String? = nil,
        _ body: @escaping @Sendable (inout NotificationPreferences) throws -> Void
    ) async throws -> NotificationPreferences {
        try await database.write { db in
            // Two changes at the same time are made one after the other.
            try AccountReferences.lock(user, db)
            var preferences = try PreferenceRows.preferences(of: user, db)
            if let language { preferences.language = language }
            try body(&preferences)
            try PreferenceRows.set(preferences, of: user, db)
            return preferences
        }
    }
}
