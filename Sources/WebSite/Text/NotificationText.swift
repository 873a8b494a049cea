import HTTPEndpoints
import MediaCore
package import Notifications
package import SiteTexts
import Workflows

/// The texts of the pages that say what a member is told.
package struct NotificationText: SiteTextSection {
    package static let section = "notifications"

    let heading, empty, gone, readAll, more, unread, settings, settingsText, save, saved: String
    let devices, addDevice, addDeviceFailed, removeDevice, endMailQuestion, endMail, mailEnded: String
    package let allOfThem, endOfMail: String
    let groups: NamedTexts<NotificationGroup>
    let ways: [String: String]
    private let hello, station: String
    /// The subject of a mail.
    package let subject: PluralText
    /// The sentences, by the kind of notification.
    private let sentences: [String: PluralText]
    private let reportedItems, decisions: [String: String]

    /// The text of a notification, on one line and without characters that could harm a mail or a device.
    package func plainSentence(_ notification: MemberNotification) -> String {
        UntrustedText.stripped(sentence(notification), maximumCharacterCount: Self.maximumPlainLength)
    }

    private static let maximumPlainLength = 500

    package func greeting(_ username: String) -> String { hello.filled("name", with: username) }

    /// The text of a notification.
    func sentence(_ notification: MemberNotification) -> String {
        guard let item = notification.items.first, let sentence = sentences[notification.kind.rawValue] else {
            return gone
        }
        return sentence(
            notification.count,
            [
                "actor": item.actor ?? station, "others": "\(notification.count - 1)", "name": item.name ?? "",
                "video": item.video?.name ?? "", "competition": item.video?.competitionName ?? "",
                "topic": item.topic?.title ?? "", "item": reported(item),
                "decision": decisions[item.decision ?? ""] ?? decisions["hidden"] ?? "",
            ])
    }

    /// The reported item of the receiver, as a part of the sentence that says so.
    private func reported(_ item: NotificationItem) -> String {
        let text = item.reported.flatMap { reportedItems[$0] } ?? reportedItems["video"] ?? ""
        return text.filled("video", with: item.video?.name ?? "")
    }
}
