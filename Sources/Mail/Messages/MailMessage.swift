/// A mail of plain text to one recipient, with or without a file.
package struct MailMessage: Sendable, Hashable {
    package let from: MailAddress
    /// The name that mail programs show instead of the sender's address; empty for none.
    package let senderName: String
    package let to: MailAddress
    package let subject: String
    /// The text, whose lines end in `\n`.
    package let text: String
    /// The language of the text as in RFC 3282, such as `es`.
    package let language: String
    /// The address at which one request ends mails of this kind (RFC 8058); `nil` for a mail that somebody waits for.
    package let unsubscribeAddress: String?
    /// The file that goes with the mail; `nil` for none.
    package let attachment: MailAttachment?

    /// Length limit of the subject and of the sender's name.
    static let maximumHeaderByteCount = 500
    /// Length limit of the text: much more than a page, far from what a server refuses.
    static let maximumTextByteCount = 64 * 1024
    private static let maximumLanguageByteCount = 35
    /// A line of a header has at most 998 bytes (RFC 5322 §2.1.1).
    private static let maximumAddressByteCount = 900

    /// Checks the parts. A control character in a header could begin another one, so it is refused.
    ///
    /// - Throws: ``MailFormatError``
    package init(
        from: MailAddress, senderName: String = "", to: MailAddress, subject: String, text: String, language: String,
        unsubscribeAddress: String? = nil, attachment: MailAttachment? = nil
    ) throws(MailFormatError) {
        for (name, value) in [("subject", subject), ("name of the sender", senderName)] {
            guard value.utf8.count <= Self.maximumHeaderByteCount else {
                throw MailFormatError("the \(name) of a mail has at most \(Self.maximumHeaderByteCount) bytes")
            }
            guard !value.unicodeScalars.contains(where: Self.isControl) else {
                throw MailFormatError("the \(name) of a mail has a control character")
            }
        }
        guard !subject.isEmpty else { throw MailFormatError("the mail has no subject") }
        guard text.utf8.count <= Self.maximumTextByteCount else {
            throw MailFormatError("the text of a mail has at most \(Self.maximumTextByteCount) bytes")
        }
        guard !text.unicodeScalars.contains(where: { Self.isControl($0) && $0 != "\n" && $0 != "\t" }) else {
            throw MailFormatError("the text of a mail has a control character")
        }
        guard (1...Self.maximumLanguageByteCount).contains(language.utf8.count),
            language.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || Self.isAlphanumeric($0) })
        else { throw MailFormatError("the language of a mail is not a language tag") }
        if let address = unsubscribeAddress {
            guard address.utf8.count <= Self.maximumAddressByteCount,
                address.utf8.allSatisfy({
                    (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">")
                })
            else { throw MailFormatError("the address that ends mails is not an address") }
        }
        (self.unsubscribeAddress, self.attachment) = (unsubscribeAddress, attachment)
        (self.from, self.senderName, self.to) = (from, senderName, to)
        (self.subject, self.text, self.language) = (subject, text, language)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
