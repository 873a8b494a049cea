package import Accounts
package import Database
import MediaCore

extension Notifications {
    /// Whether a webhook of a member wants notifications.
    package func hasWebhook(_ user: UserID) async throws -> Bool {
        try await database.read { [self] db in try webhookOwners(db).contains(user) }
    }

    /// Takes the notifications of which webhooks are to be told now, and passes them on in the same transaction: each
    /// is told once, also if the server stops in between.
    ///
    /// - Parameters:
    ///   - limit: number of notifications.
    ///   - body: passes them on. It is given those that have not lost what they are about.
    /// - Returns: whether there may be more.
    /// - Throws: `SQLError`, and any error of `body`.
    package func takeForWebhooks(
        limit: Int, _ body: @escaping @Sendable ([WebhookNotification], any SQLConnection) throws -> Void
    ) async throws -> Bool {
        let now = now
        // Nearly always nothing is due, and then nobody has to wait for a write.
        let isDue = try await database.read { db in
            try db.exists("SELECT 1 FROM notification WHERE webhookDueAt <= ?1", .time(now))
        }
        guard isDue else { return false }
        return try await database.write { db in
            let (taken, hasMore) = try WebhookRows.take(at: now, limit: limit, db)
            let told = try taken.compactMap { number, receiver -> WebhookNotification? in
                let found = try NotificationRows.notification(number, db).map { [$0] } ?? []
                let filled = try Self.filled(found, reader: receiver, db)
                guard let notification = filled.first, !notification.items.isEmpty,
                    try PreferenceRows.preferences(of: receiver, db)[notification.kind.group].contains(.webhook)
                else { return nil }
                return WebhookNotification(receiver: receiver, notification: notification)
            }
            if !told.isEmpty { try body(told, db) }
            return hasMore
        }
    }
}
