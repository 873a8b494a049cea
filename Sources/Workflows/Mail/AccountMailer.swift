package import SiteTexts

/// Sends mail about accounts. Pages and API hand over what has happened; the server makes the mail.
package protocol AccountMailer: Sendable {
    /// Queues a mail and returns at once: how long an answer takes must not show whether somebody gets a mail.
    ///
    /// - Parameters:
    ///   - mail: what to write about, and to whom.
    ///   - language: the language of the request.
    func send(_ mail: AccountMail, in language: SiteLanguage)
}
