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
                ], english: "what you were told, and how you want to be told",
                spanish: "de qué se le ha avisado, y cómo quiere que se le avise")
        ]
    }
}
