/// A mailbox, such as `ana@example.org`, without quoted names and address literals (RFC 5321 §4.1.2).
///
/// Characters beyond ASCII are accepted (RFC 6531 §3.3); such an address needs a server with SMTPUTF8. What could end a
/// command or a header is not.
package struct MailAddress: Sendable, Hashable, CustomStringConvertible {
    package let text: String
    /// The part after the `@`, which may be shown in a log.
    package let domain: String

    /// RFC 5321 §4.5.3.1.3: a path of 256 bytes with its two brackets.
    static let maximumByteCount = 254
    /// RFC 5321 §4.5.3.1.1
    private static let maximumNameByteCount = 64
    /// RFC 1035 §2.3.4
    private static let maximumLabelByteCount = 63

    /// - Throws: ``MailFormatError`` if the text is not an address, which the error does not repeat.
    package init(_ text: String) throws(MailFormatError) {
        guard text.utf8.count <= Self.maximumByteCount, let at = text.lastIndex(of: "@"),
            Self.isName(text[..<at]), Self.isDomain(text[text.index(after: at)...])
        else {
            throw MailFormatError("is not a mail address; it looks like name@example.org")
        }
        self.text = text
        domain = String(text[text.index(after: at)...])
    }

    package var description: String { text }

    /// Whether the address can be used with SMTPUTF8 only.
    var needsUTF8: Bool { !text.utf8.allSatisfy { $0 < 0x80 } }

    /// RFC 5322 §3.2.3, dot-atom
    private static func isName(_ name: Substring) -> Bool {
        name.utf8.count <= maximumNameByteCount
            && name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
                !atom.isEmpty
                    && atom.unicodeScalars.allSatisfy { scalar in
                        scalar.isASCII ? isAlphanumeric(scalar) || atomScalars.contains(scalar) : isOther(scalar)
                    }
            }
    }

    private static func isDomain(_ domain: Substring) -> Bool {
        domain.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.utf8.count <= maximumLabelByteCount && label.first != "-" && label.last != "-"
                && label.unicodeScalars.allSatisfy { scalar in
                    scalar.isASCII ? isAlphanumeric(scalar) || scalar == "-" : isOther(scalar)
                }
        }
    }

    private static let atomScalars = Set("!#$%&'*+-/=?^_`{|}~".unicodeScalars)

    private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: false
        }
    }

    /// Letters, marks and digits of other scripts.
    private static func isOther(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            !scalar.properties.isDefaultIgnorableCodePoint
        default: false
        }
    }
}
