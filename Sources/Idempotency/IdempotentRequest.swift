import Crypto

/// A request that its sender may repeat without fear that it is carried out twice.
package struct IdempotentRequest: Sendable, Hashable {
    /// The sender, such as the ID of an account. Two senders may use the same key.
    package var sender: String
    /// The limits of the sender's credential, as a line of text; empty for none. A response belongs to them: another
    /// credential of the same sender may not be allowed to see it.
    package var limits: String
    /// The method and the path, such as `POST /api/v1/links`.
    package var operation: String
    /// The text that the sender has chosen for this request and its repetitions.
    package var key: String
    /// The SHA-256 of the request's other parts.
    var fingerprint: [UInt8]

    /// Limit of the key; a UUID has 36 characters.
    package static let maximumKeyByteCount = 255

    /// - Parameters:
    ///   - sender: who sends it.
    ///   - limits: the limits of the sender's credential, as a line of text; empty for none.
    ///   - operation: the method and the path.
    ///   - key: the text that the sender has chosen.
    ///   - content: the query and the body.
    package init(
        sender: String, limits: String, operation: String, key: String, content: some Sequence<UInt8>
    ) {
        (self.sender, self.limits, self.operation, self.key) = (sender, limits, operation, key)
        var hash = SHA256()
        hash.update(data: Array(content))
        fingerprint = Array(hash.finalize())
    }

    /// The key in the value of a header field: a string (RFC 8941 §3.3.3), or the same without quotation marks, as most
    /// clients send it.
    ///
    /// - Returns: `nil` if it is empty, too long, or has other characters than visible ASCII.
    package static func key(parsing field: String) -> String? {
        var text = field[...]
        if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") { text = text.dropFirst().dropLast() }
        guard (1...maximumKeyByteCount).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) && $0 != UInt8(ascii: "\"") })
        else { return nil }
        return String(text)
    }
}
