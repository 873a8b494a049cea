package import Accounts
import HTTPEndpoints
package import Logging
package import Mail
package import NIOCore
import Notifications
package import ServerSettings
import ServiceLifecycle
import SupportInbox
package import Workflows

/// Sends the server's mail.
package struct MailService: Service {
    private let queue: MailQueue<ContinuousClock>
    private let settings: MailSettings
    private let publicAddress: PublicAddress

    /// - Parameters:
    ///   - configuration: the settings of the server.
    ///   - credential: the username and the password at the mail server.
    ///   - group: the event loops of the connections.
    ///   - logger: receives what became of mails.
    /// - Returns: `nil` if the server sends no mail.
    /// - Throws: `SMTPError` if the file with the trusted certificates cannot be used.
    package init?(
        _ configuration: ServerConfiguration, credential: SMTPCredential?, group: any EventLoopGroup, logger: Logger
    ) throws {
        guard let settings = configuration.mail, let publicAddress = configuration.publicAddress else { return nil }
        (self.settings, self.publicAddress) = (settings, publicAddress)
        let client = try SMTPClient(
            address: settings.server, credential: credential, helloName: publicAddress.host, group: group)
        queue = MailQueue(client, clock: ContinuousClock(), logger: logger)
    }

    /// Mail about accounts, which is sent once ``run()`` is called.
    package func mailer(_ accounts: Accounts) -> any AccountMailer {
        AccountMails(accounts: accounts, publicAddress: publicAddress, from: settings.from) { [queue] draft in
            queue.add(draft)
        }
    }

    /// Mail that tells members what has happened, which is sent once ``run()`` is called.
    func notificationMails(_ notifications: Notifications, _ accounts: Accounts) -> NotificationMails {
        NotificationMails(
            notifications: notifications, siteName: { accounts.settings.issuer }, publicAddress: publicAddress,
            from: settings.from,
            queue: NotificationMailQueue(waitingCount: { [queue] in queue.count }) { [queue] in queue.add($0) })
    }

    /// Sends messages of people who need help to the address in `--mail-from`, once ``run()`` is called.
    func forwarder() -> @Sendable (SupportMessage) -> Void {
        { [queue, from = settings.from] message in
            queue.add {
                // The address of the writer is not checked, so it is not the sender of a mail of this server.
                try MailMessage(
                    from: from, to: from, subject: message.subject,
                    text: "\(message.sender) (\(message.address)):\n\n\(message.text)\n", language: "en")
            }
        }
    }

    /// Mails with results, which are sent once ``run()`` is called.
    func resultMails() -> ResultMailQueue {
        ResultMailQueue(from: settings.from) { [queue] draft in queue.add(draft) }
    }

    package func run() async throws {
        await withGracefulShutdownHandler {
            await queue.run()
        } onGracefulShutdown: {
            queue.close()
        }
    }
}
