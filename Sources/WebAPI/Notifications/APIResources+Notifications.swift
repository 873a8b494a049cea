import Accounts
import HTTPEndpoints
import JSONDocument
import Notifications
import Workflows

extension APIResources {
    /// The JSON of a notification.
    static func notification(_ notification: MemberNotification) -> JSONText {
        .object([
            ("id", .string(notification.id.text)), ("kind", .string(notification.kind.rawValue)),
            ("group", .string(notification.kind.group.rawValue)), ("count", .integer(Int(notification.count))),
            ("changedAt", time(notification.changedAt)), ("readAt", time(notification.readAt)),
            ("page", .optional(ResourcePaths.page(of: notification))),
            ("items", .array(notification.items.map { item($0, notification.kind) })),
        ])
    }

    private static func item(_ item: NotificationItem, _ kind: NotificationKind) -> JSONText {
        .object([
            ("actor", .optional(item.actor)), ("happenedAt", time(item.happenedAt)),
            (
                "video",
                item.video.map { video in
                    .object([
                        ("id", .string(video.id.text)), ("name", .string(video.name)),
                        ("competition", .optional(video.competition?.text)),
                        ("competitionName", .optional(video.competitionName)), ("day", .optional(video.day)),
                    ])
                } ?? .null
            ),
            ("comment", .optional(item.comment?.text)), ("title", .optional(item.title)),
            ("channel", .optional(item.channel)), ("name", .optional(item.name)),
            ("decision", .optional(item.decision)),
            ("reported", .optional(item.reported)),
            ("page", .optional(ResourcePaths.page(of: item, kind))),
        ])
    }

    /// The JSON of the ways by which somebody is notified.
    static func preferences(_ preferences: NotificationPreferences) -> JSONText {
        .object(
            NotificationGroup.allCases.map { group in
                let ways = NotificationChannels.named.filter { preferences[group].contains($0.channel) }.map(\.name)
                return (group.rawValue, .array(ways.map(JSONText.string)))
            })
    }
}
