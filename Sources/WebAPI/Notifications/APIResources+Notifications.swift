import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import Notifications
import Workflows

extension APIResources {
    /// The JSON of a notification.
    static func notification(_ notification: MemberNotification) -> APIObject<NotificationFields> {
        NotificationFields.object { fields in
            [
                fields.id(notification.id.text), fields.kind(notification.kind.rawValue),
                fields.group(notification.kind.group.rawValue), fields.count(Int(notification.count)),
                fields.changedAt(time(notification.changedAt)), fields.readAt(time(notification.readAt)),
                fields.page(ResourcePaths.page(of: notification)),
                fields.items(notification.items.map { item($0, notification.kind) }),
            ]
        }
    }

    private static func item(_ item: NotificationItem, _ kind: NotificationKind) -> APIObject<NotificationItemFields> {
        NotificationItemFields.object {
            [
                $0.actor(item.actor), $0.happenedAt(time(item.happenedAt)), $0.video(item.video.map(video)),
                $0.comment(item.comment?.text), $0.title(item.title), $0.channel(item.channel), $0.name(item.name),
                $0.topic(item.topic?.id.text), $0.topicTitle(item.topic?.title),
                $0.topicComment(item.topic?.comment?.text), $0.decision(item.decision), $0.reported(item.reported),
                $0.page(ResourcePaths.page(of: item, kind)),
            ]
        }
    }

    private static func video(_ video: NotificationItem.Video) -> APIObject<NotificationItemVideoFields> {
        NotificationItemVideoFields.object {
            [
                $0.id(video.id.text), $0.name(video.name), $0.competition(video.competition?.text),
                $0.competitionName(video.competitionName), $0.day(video.day),
            ]
        }
    }

    /// The JSON of the ways by which somebody is notified.
    static func preferences(_ preferences: NotificationPreferences) -> APIObject<NotificationPreferencesFields> {
        func ways(_ group: NotificationGroup) -> NotificationWays {
            NotificationWays(
                NotificationChannels.named.filter { preferences[group].contains($0.channel) }.map(\.name))
        }
        return NotificationPreferencesFields.object {
            [
                $0.newVideos(ways(.newVideos)), $0.newTopics(ways(.newTopics)), $0.aboutMe(ways(.aboutMe)),
                $0.followed(ways(.followed)),
            ]
        }
    }
}
