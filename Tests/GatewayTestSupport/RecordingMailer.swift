import HTTPEndpoints
package import SiteTexts
import Synchronization
package import Workflows

/// Keeps the mails that a server would send.
package final class RecordingMailer: AccountMailer {
    /// A mail with its language.
    package struct Mail: Sendable, Hashable {
        package var mail: AccountMail
        package var language: SiteLanguage
    }

    private let recorded = Mutex<[Mail]>([])

    package init() {}

    package func send(_ mail: AccountMail, in language: SiteLanguage) {
        recorded.withLock { $0.append(Mail(mail: mail, language: language)) }
    }

    /// The mails since the last call, in order.
    package func take() -> [Mail] {
        recorded.withLock { mails in
            defer { mails = [] }
            return mails
        }
    }
}
