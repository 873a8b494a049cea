import Database
package import MediaCore

/// An e-mail address in the form in which it is stored. It is unique without case.
///
/// The form is that of RFC 5321 §4.1.2 without quoted names and address literals, in ASCII, with a domain of at least
/// two labels: what mail servers of the public network accept.
package struct EmailAddress: Sendable, Hashable, CustomStringConvertible {
    package let text: String

    /// RFC 5321 §4.5.3.1.3: a path of 256 bytes with its two brackets.
    static let maximumByteCount = 254
    /// RFC 5321 §4.5.3.1.1
    private static let maximumNameByteCount = 64
    /// RFC 1035 §2.3.4
    private static let maximumLabelByteCount = 63

    /// Checks an address; white space around it does not count.
    ///
    /// - Throws: `Refusal` with `invalidEmail`.
    package init(_ text: String) throws(Refusal) {
        let trimmed = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        let address = String(trimmed)
        guard address.utf8.count <= Self.maximumByteCount, let at = address.utf8.lastIndex(of: UInt8(ascii: "@")),
            Self.isName(address.utf8[..<at]), Self.isDomain(address.utf8[address.utf8.index(after: at)...])
        else {
            throw Refusal(
                .invalidEmail,
                "\(Refusal.quoted(address)) is not an e-mail address; it looks like name@example.org",
                fields: ["email"])
        }
        self.text = address
    }

    package var description: String { text }
    /// The form in which two addresses are compared.
    var key: String { CaselessKey(text).text }

    /// RFC 5322 §3.2.3, dot-atom
    private static func isName(_ bytes: Substring.UTF8View) -> Bool {
        guard bytes.count <= maximumNameByteCount else { return false }
        return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.allSatisfy { isAlphanumeric($0) || atomBytes.contains($0) }
        }
    }

    private static func isDomain(_ bytes: Substring.UTF8View) -> Bool {
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last, last.contains(where: { !isDigit($0) }) else { return false }
        return labels.allSatisfy { label in
            !label.isEmpty && label.count <= maximumLabelByteCount && label.first != UInt8(ascii: "-")
                && label.last != UInt8(ascii: "-")
                && label.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
        }
    }

    private static let atomBytes: Set<UInt8> = Set("!#$%&'*+-/=?^_`{|}~".utf8)

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
