package import MediaCore

extension MailMessage {
    /// The bytes of the mail (RFC 5322), whose lines end in CR LF. All bytes are ASCII, but those of an address beyond
    /// it (RFC 6532).
    ///
    /// - Parameters:
    ///   - time: the time at which the mail was made.
    ///   - id: the identifier of the mail.
    package func rendered(at time: WallClockTime, id: MessageID) -> [UInt8] {
        let body = MailBody(text)
        let fields =
            [
                MailHeader.sender(senderName, from), "To: \(to.text)", MailHeader.unstructured("Subject", subject),
                "Date: \(MailHeader.date(time))", "Message-ID: \(id.text)", "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: \(body.encoding)",
                "Content-Language: \(language)",
                // RFC 3834 §5: no holiday notice answers it.
                "Auto-Submitted: auto-generated",
            ] + unsubscribeFields
        return Array((fields.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body.bytes
    }

    /// RFC 2369 §3.2 and RFC 8058 §3.1
    private var unsubscribeFields: [String] {
        guard let address = unsubscribeAddress else { return [] }
        return ["List-Unsubscribe: <\(address)>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"]
    }
}
