package import MediaCore

extension MailMessage {
    /// The bytes of the mail (RFC 5322), whose lines end in CR LF. All bytes are ASCII, but those of an address beyond
    /// it (RFC 6532).
    ///
    /// - Parameters:
    ///   - time: the time at which the mail was made.
    ///   - id: the identifier of the mail.
    package func rendered(at time: WallClockTime, id: MessageID) -> [UInt8] {
        let content = attachment.map { mixed(with: $0, boundary: id.boundary) } ?? plain
        let fields =
            [
                MailHeader.sender(senderName, from), "To: \(to.text)", MailHeader.unstructured("Subject", subject),
                "Date: \(MailHeader.date(time))", "Message-ID: \(id.text)", "MIME-Version: 1.0",
            ] + content.fields + [
                "Content-Language: \(language)",
                // RFC 3834 §5: no holiday notice answers it.
                "Auto-Submitted: auto-generated",
            ] + unsubscribeFields
        return Self.part(fields, content.body)
    }

    private static func part(_ fields: [String], _ body: [UInt8]) -> [UInt8] {
        Array((fields.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    private var plain: (fields: [String], body: [UInt8]) {
        let body = MailBody(text)
        let fields = ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: \(body.encoding)"]
        return (fields, body.bytes)
    }

    /// The text and a file (RFC 2046 §5.1.3).
    ///
    /// - Parameter boundary: what stands between the parts. It begins with `=_`, which neither encoding writes.
    private func mixed(
        with attachment: MailAttachment, boundary: String
    ) -> (fields: [String], body: [UInt8]) {
        let fields = [
            "Content-Type: \(attachment.mediaType)", "Content-Transfer-Encoding: base64",
            "Content-Disposition: attachment; filename=\"\(attachment.name)\"",
        ]
        // The line end before a boundary belongs to it.
        let body =
            Array("--\(boundary)\r\n".utf8) + Self.part(plain.fields, plain.body)
            + Array("\r\n--\(boundary)\r\n".utf8) + Self.part(fields, MailBody.base64(attachment.bytes))
            + Array("\r\n--\(boundary)--\r\n".utf8)
        return (["Content-Type: multipart/mixed; boundary=\"\(boundary)\""], body)
    }

    /// RFC 2369 §3.2 and RFC 8058 §3.1
    private var unsubscribeFields: [String] {
        guard let address = unsubscribeAddress else { return [] }
        return ["List-Unsubscribe: <\(address)>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"]
    }
}
