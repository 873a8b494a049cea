/// Hands mail to a server. The server uses ``SMTPClient``; tests record.
package protocol MailTransport: Sendable {
    /// Delivers a mail.
    ///
    /// - Throws: ``SMTPError``; `CancellationError` if the task was cancelled.
    func deliver(_ mail: OutgoingMail) async throws
}
