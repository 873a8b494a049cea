/// A mail as it is handed to a server: the two addresses of its envelope, and its bytes.
package struct OutgoingMail: Sendable, Hashable {
    package let from: MailAddress
    package let to: MailAddress
    /// The rendered ``MailMessage``; each line ends in CR LF.
    package let bytes: [UInt8]

    package init(from: MailAddress, to: MailAddress, bytes: [UInt8]) {
        (self.from, self.to, self.bytes) = (from, to, bytes)
    }

    /// Whether only a server with SMTPUTF8 can take the mail (RFC 6531 §3.1).
    var needsUTF8: Bool { from.needsUTF8 || to.needsUTF8 }

    /// The bytes that follow DATA, with their end (RFC 5321 §4.5.2): a line that begins with a full stop gets another
    /// one, so that no line of the mail ends it.
    var transmittedBytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 8)
        var isAtStart = true
        for byte in bytes {
            if isAtStart, byte == UInt8(ascii: ".") { result.append(byte) }
            result.append(byte)
            isAtStart = byte == UInt8(ascii: "\n")
        }
        if !isAtStart { result += Self.lineEnd }
        return result + [UInt8(ascii: ".")] + Self.lineEnd
    }

    private static let lineEnd: [UInt8] = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
}
