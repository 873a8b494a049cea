import Accounts
package import HTTPEndpoints
package import Mail
package import Notifications
import SiteTexts
import WebSite
import Workflows

/// Makes the mails that tell members what has happened, and puts them into the queue: one for each member and window,
/// with a link that ends them without a log-in (RFC 8058).
package struct NotificationMails: Sendable {
    private let notifications: Notifications
    private let siteName: @Sendable () -> String
    /// The address of which links are made.
    private let publicAddress: PublicAddress
    private let from: MailAddress
    private let queue: NotificationMailQueue

    /// Number of mails that are taken at once.
    private static let batchSize = 20
    /// While more wait in the queue, none are taken: there is always room for mail that somebody waits for.
    private static let maximumWaitingCount = 100

    /// - Parameters:
    ///   - notifications: what members are told.
    ///   - siteName: the name of the site, as it is now.
    ///   - publicAddress: the address at which visitors reach the site.
    ///   - from: the sender.
    ///   - queue: sends the mails.
    package init(
        notifications: Notifications, siteName: @escaping @Sendable () -> String, publicAddress: PublicAddress,
        from: MailAddress, queue: NotificationMailQueue
    ) {
        (self.notifications, self.siteName, self.publicAddress) = (notifications, siteName, publicAddress)
        (self.from, self.queue) = (from, queue)
    }

    /// Takes what is due, as far as there is room in the queue.
    ///
    /// - Throws: `SQLError`
    package func sendDue() async throws {
        while queue.waitingCount() < Self.maximumWaitingCount, !Task.isCancelled {
            let digests = try await notifications.takeMail(limit: Self.batchSize)
            for digest in digests { queue.add { try message(digest) } }
            if digests.count < Self.batchSize { return }
        }
    }

    private func message(_ digest: NotificationDigest) throws -> MailMessage {
        let language: SiteLanguage = digest.language.flatMap(SiteLanguage.init(rawValue:)) ?? .english
        let text = NotificationText.of(language)
        let site = siteName()
        let lines = digest.notifications.map { notification in
            let page = ResourcePaths.page(of: notification) ?? ResourcePaths.notifications
            return "\(text.plainSentence(notification))\n\(publicAddress.url(page))"
        }
        let end = publicAddress.url(
            "\(ResourcePaths.endOfMail)?user=\(digest.user)&code=\(notifications.unsubscribeCode(of: digest.user))")
        let paragraphs =
            [text.greeting(digest.username)] + lines
            + ["\(text.allOfThem) \(publicAddress.url(ResourcePaths.notifications))", "\(text.endOfMail) \(end)"]
        return try MailMessage(
            from: from, senderName: site, to: MailAddress(digest.email),
            subject: "\(site): \(text.subject(digest.count))", text: paragraphs.joined(separator: "\n\n") + "\n",
            language: language.rawValue, unsubscribeAddress: end)
    }
}
