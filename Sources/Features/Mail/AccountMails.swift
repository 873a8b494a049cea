package import Accounts
package import HTTPEndpoints
package import Mail
package import SiteTexts
package import Workflows

/// Makes the mails about accounts, and puts them into the queue.
package struct AccountMails: AccountMailer {
    private let accounts: Accounts
    /// The address of which links are made; never the Host of a request, which a stranger can choose.
    private let publicAddress: PublicAddress
    private let from: MailAddress
    private let enqueue: @Sendable (@escaping MailDraft) -> Void

    /// - Parameters:
    ///   - accounts: the accounts.
    ///   - publicAddress: the address at which visitors reach the site.
    ///   - from: the sender.
    ///   - enqueue: puts a mail into the queue, without waiting.
    package init(
        accounts: Accounts, publicAddress: PublicAddress, from: MailAddress,
        enqueue: @escaping @Sendable (@escaping MailDraft) -> Void
    ) {
        (self.accounts, self.publicAddress, self.from, self.enqueue) = (accounts, publicAddress, from, enqueue)
    }

    package func send(_ mail: AccountMail, in language: SiteLanguage) {
        enqueue { try await message(mail, language) }
    }

    /// A mail with its recipient and its text.
    private struct Content {
        var recipient: String?
        var username: String
        var subject: String
        var paragraphs: [String]
    }

    private func message(_ mail: AccountMail, _ language: SiteLanguage) async throws -> MailMessage? {
        let text = AccountMailText.of(language)
        guard let content = try await content(mail, text), let recipient = content.recipient else { return nil }
        let site = accounts.settings.issuer
        let paragraphs =
            [text.greeting(content.username)] + content.paragraphs + ["\(site)\n\(publicAddress.origin)"]
        return try MailMessage(
            from: from, senderName: site, to: MailAddress(recipient), subject: "\(site): \(content.subject)",
            text: paragraphs.joined(separator: "\n\n") + "\n", language: language.rawValue)
    }

    private func content(_ mail: AccountMail, _ text: AccountMailText) async throws -> Content? {
        switch mail {
        case .confirmation(let link, let account): return confirmation(link, account, text)
        case .confirmationAgain(let email):
            return try await accounts.resendConfirmation(to: email).map { confirmation($0.link, $0.account, text) }
        case .newAddress(let link, let account):
            return Content(
                recipient: link.link.email, username: account.username, subject: text.newAddressSubject,
                paragraphs: [
                    text.newAddress.filled("time", with: text.time(link)), address(AccountPath.confirmation, link),
                    text.newAddressIgnored,
                ])
        case .addressChange(let account, let new):
            return Content(
                recipient: account.email, username: account.username, subject: text.addressChangeSubject,
                paragraphs: [
                    text.addressChange.filled("address", with: new),
                    text.changePassword.filled("address", with: url(AccountPath.account)),
                ])
        case .passwordReset(let email):
            guard let request = try await accounts.requestPasswordReset(for: email) else { return nil }
            return Content(
                recipient: request.link.link.email, username: request.account.username,
                subject: text.passwordResetSubject,
                paragraphs: [
                    text.passwordReset.filled("time", with: text.time(request.link)),
                    address(AccountPath.newPassword, request.link),
                    text.passwordResetIgnored,
                ])
        case .passwordChanged(let account):
            return Content(
                recipient: account.email, username: account.username, subject: text.passwordChangedSubject,
                paragraphs: [
                    text.passwordChanged, text.askForPassword.filled("address", with: url(AccountPath.newPassword)),
                ])
        case .credentialsEnded(let account):
            return Content(
                recipient: account.email, username: account.username, subject: text.passwordChangedSubject,
                paragraphs: [
                    text.passwordChanged, text.credentialsEnded,
                    text.askForPassword.filled("address", with: url(AccountPath.newPassword)),
                ])
        case .suspended(let account, let note):
            return Content(
                recipient: account.email, username: account.username, subject: text.suspendedSubject,
                paragraphs: [text.suspended(until: account.suspendedUntil)] + (note.isEmpty ? [] : [note]))
        }
    }

    private func confirmation(_ link: NewLink, _ account: Account, _ text: AccountMailText) -> Content {
        Content(
            recipient: link.link.email, username: account.username, subject: text.confirmationSubject,
            paragraphs: [
                text.confirmation.filled("time", with: text.time(link)), address(AccountPath.confirmation, link),
                text.confirmationIgnored,
            ])
    }

    private func url(_ path: String) -> String { publicAddress.url(path) }

    private func address(_ path: String, _ link: NewLink) -> String {
        url("\(path)?\(AccountPath.linkParameter)=\(link.secret.text)")
    }
}
