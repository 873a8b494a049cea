import APIContract
import Accounts
import Notifications

extension NotificationEndpoints {
    /// A member's notifications, and their preferences.
    package func export(of member: ExportedMember) async throws -> [ExportChapter] {
        let told = try await notifications.allNotifications(of: member.account.id)
        return [
            ExportChapter(
                [
                    .both(name: "notifications", told.notifications.map(APIResources.notification).json),
                    .both(name: "notificationPreferences", APIResources.preferences(told.preferences).json),
                ], text: "notifications")
        ]
    }
}
