/// A file that goes with a mail.
package struct MailAttachment: Sendable, Hashable {
    package let name: String
    /// Such as `application/pdf`.
    package let mediaType: String
    package let bytes: [UInt8]

    /// Limit of a file. Many servers refuse mails of 10 MB, and base64 makes it a third longer.
    package static let maximumByteCount = 4 << 20
    private static let maximumNameByteCount = 60

    /// - Parameters:
    ///   - name: the name of the file: letters, digits, hyphens, underscores and full stops.
    ///   - mediaType: the type and subtype without parameters.
    ///   - bytes: the file.
    /// - Throws: ``MailFormatError``
    package init(name: String, mediaType: String, bytes: [UInt8]) throws(MailFormatError) {
        guard (1...Self.maximumNameByteCount).contains(name.utf8.count), name.utf8.allSatisfy(Self.isNameByte),
            name.first != "."
        else { throw MailFormatError("the name of an attachment is not plain") }
        let parts = mediaType.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isTypeByte) }) else {
            throw MailFormatError("the type of an attachment is not a media type")
        }
        guard bytes.count <= Self.maximumByteCount else {
            throw MailFormatError("an attachment has at most \(Self.maximumByteCount) bytes")
        }
        (self.name, self.mediaType, self.bytes) = (name, mediaType, bytes)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool { isTypeByte(byte) || byte == UInt8(ascii: "_") }

    private static func isTypeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "+"):
            true
        default: false
        }
    }
}
