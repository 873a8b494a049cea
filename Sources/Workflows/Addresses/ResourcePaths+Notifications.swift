import APIContract
package import Accounts
package import Notifications

extension ResourcePaths {
    /// The page of a member's notifications.
    package static let notifications = "\(community)/avisos"

    /// The page on which moderators decide about reports.
    package static let moderation = "/operator/moderacion"
    /// The page with the messages of people who need help.
    package static let supportInbox = "/operator/buzon"

    /// The address that opens a notification: it is read from then on, and leads to what it is about.
    package static func page(ofNotification id: OpaqueID) -> String { "\(notifications)/\(id)" }

    /// The address that ends mails, for the link in a mail.
    package static let endOfMail = "\(notifications)/baja"

    /// The path of the page that a notification opens; `nil` if what it is about is gone.
    ///
    /// Several videos of a competition open its list, of the day of the newest one.
    package static func page(of notification: MemberNotification) -> String? {
        guard let item = notification.items.first else { return nil }
        if notification.count > 1, notification.kind == .competitionVideo, let competition = item.video?.competition {
            let day = item.video?.day.map { "&day=\($0)" } ?? ""
            return "\(community)/videos?competition=\(competition)\(day)"
        }
        return page(of: item, notification.kind)
    }

    /// The path of the page of one of the things that a notification is about; `nil` if it has none.
    package static func page(of item: NotificationItem, _ kind: NotificationKind) -> String? {
        switch kind {
        case .follower: item.actor.map { page(ofMember: $0) }
        case .channelLive: item.channel.map(page(ofChannel:))
        case .rentalEnding: item.title.map { "/videoclub/titulos/\(PathEncoding.component($0))" }
        case .uploadReady, .uploadFailed: item.upload.map { "\(community)/subir/\($0)" }
        case .comment, .reply:
            item.video.map { video in "\(page(ofVideo: video.id))\(item.comment.map { "#c-\($0)" } ?? "")" }
        case .reported where item.reported == "comment":
            item.video.map { video in "\(page(ofVideo: video.id))\(item.comment.map { "#c-\($0)" } ?? "")" }
        case .newTopic, .topicReply, .followedTopic:
            item.topic.map { topic in topic.comment.map(page(ofTopicComment:)) ?? page(ofTopic: topic.id) }
        case .reported where item.reported == "topicComment": forum
        case .reported where item.reported == "profile": "\(community)/perfil"
        case .reportWaiting: moderation
        case .supportMessage: supportInbox
        case .contactInvitation, .contactAdded, .contactRefused: item.invitation.map(page(ofContactInvitation:))
        default: item.video.map { page(ofVideo: $0.id) }
        }
    }
}
