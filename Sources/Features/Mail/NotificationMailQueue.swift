package import Mail
import Workflows

/// The queue of mails, as far as notifications use it.
package struct NotificationMailQueue: Sendable {
    /// Number of mails that wait.
    package var waitingCount: @Sendable () -> Int
    /// Adds a mail, without waiting.
    package var add: @Sendable (@escaping MailDraft) -> Void

    package init(waitingCount: @escaping @Sendable () -> Int, add: @escaping @Sendable (@escaping MailDraft) -> Void) {
        (self.waitingCount, self.add) = (waitingCount, add)
    }
}
