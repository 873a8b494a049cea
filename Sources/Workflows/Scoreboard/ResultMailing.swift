package import MediaCore

/// Puts mails into the server's queue.
package protocol ResultMailing: Sendable {
    /// - Throws: `Refusal` with `invalidField` if the text is not a mail address.
    func check(_ address: String) throws(Refusal)

    /// Adds a mail, without waiting for the mail server.
    ///
    /// - Returns: false if the mail is dropped, because too many wait.
    func send(_ mail: ResultMail, to address: String) -> Bool
}
