import Accounts
import JSONDocument
import Notifications

extension NotificationEndpoints {
    /// A member's notifications, and their preferences.
    package func export(of member: ExportedMember) async throws -> [ExportChapter] {
        let told = try await notifications.allNotifications(of: member.account.id)
        return [
            ExportChapter(
                [
                    .both(name: "notifications", .array(told.notifications.map(APIResources.notification))),
                    .both(name: "notificationPreferences", APIResources.preferences(told.preferences)),
                ], text: "notifications")
        ]
    }
}
