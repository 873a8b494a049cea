import Accounts
import Events
import HTTPEndpoints
import JSONDocument
import Notifications
import Workflows

/// Notes in the journal what members are told by webhook. The webhooks of a member are sent it, and nobody else hears
/// it.
struct NotificationEvents: Sendable {
    let notifications: Notifications
    let journal: EventJournal

    /// Number of notifications in one transaction.
    private static let batchSize = 100

    /// Notes what is due.
    ///
    /// - Throws: `SQLError`
    func noteDue() async throws {
        var hasMore: Bool
        repeat {
            hasMore = try await notifications.takeForWebhooks(limit: Self.batchSize) { told, db in
                try EventJournal.append(told.map(Self.event), db)
            }
            journal.wake()
        } while hasMore && !Task.isCancelled
    }

    /// An event that names nobody and nothing by name: names may be changed or deleted while the journal and the logs
    /// of webhooks still have the event.
    private static func event(_ told: WebhookNotification) -> NewEvent {
        let notification = told.notification
        let item = notification.items.first
        return NewEvent(
            .notificationCreated, EventSubject(.member, told.receiver.text), at: notification.changedAt,
            [
                ("notification", .string(notification.id.text)), ("kind", .string(notification.kind.rawValue)),
                ("group", .string(notification.kind.group.rawValue)), ("count", .integer(Int(notification.count))),
                ("page", .string(ResourcePaths.page(ofNotification: notification.id))),
                ("video", .optional(item?.video?.id.text)), ("comment", .optional(item?.comment?.text)),
                ("competition", .optional(item?.video?.competition?.text)),
            ])
    }
}
