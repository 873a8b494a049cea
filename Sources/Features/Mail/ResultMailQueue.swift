import Mail
import MediaCore
import SiteTexts
import Workflows

/// Makes mails with results, and puts them into the queue.
struct ResultMailQueue: ResultMailing {
    /// The sender.
    let from: MailAddress
    /// Puts a mail into the queue, without waiting; false if it is dropped.
    let enqueue: @Sendable (@escaping MailDraft) -> Bool

    func check(_ address: String) throws(Refusal) {
        do throws(MailFormatError) {
            _ = try MailAddress(address)
        } catch {
            throw Refusal(
                .invalidField, "\(Refusal.quoted(address)) \(error.reason)", fields: ["addresses"])
        }
    }

    func send(_ mail: ResultMail, to address: String) -> Bool {
        enqueue { [from] in
            try MailMessage(
                from: from, senderName: mail.senderName, to: MailAddress(address), subject: mail.subject,
                text: mail.text, language: mail.language.rawValue,
                attachment: MailAttachment(name: "results.pdf", mediaType: "application/pdf", bytes: mail.file))
        }
    }
}
