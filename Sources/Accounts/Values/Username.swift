import Database
import Foundation
package import MediaCore

/// A username in the form in which it is stored. It is unique without case, and never an e-mail address.
package struct Username: Sendable, Hashable, CustomStringConvertible {
    package let text: String

    package static let minimumCharacterCount = 2
    /// A column of a table, and a part of a URL.
    package static let maximumCharacterCount = 32

    /// Checks a name.
    ///
    /// Letters are Latin, with or without accents: letters of other scripts that look the same would let one account
    /// pass as another (UTS #39, mixed-script confusables). Names in other scripts have their place in
    /// ``Profile/name``.
    ///
    /// - Throws: `Refusal` with `invalidUsername`.
    package init(_ text: String) throws(Refusal) {
        // A longer text is not worth normalizing.
        guard text.utf8.count <= Self.maximumCharacterCount * 8 else { throw Self.wrongLength }
        let composed = text.precomposedStringWithCanonicalMapping
        let scalars = composed.unicodeScalars
        guard (Self.minimumCharacterCount...Self.maximumCharacterCount).contains(scalars.count) else {
            throw Self.wrongLength
        }
        if let wrong = scalars.first(where: { !Self.isLetterOrDigit($0) && !Self.separators.contains($0) }) {
            throw Refusal(
                .invalidUsername,
                """
                a username can contain Latin letters, digits, `.`, `_` and `-`, but not \
                \(Refusal.quoted(String(Character(wrong))))
                """, fields: ["username"])
        }
        guard let first = scalars.first, let last = scalars.last, Self.isLetterOrDigit(first),
            Self.isLetterOrDigit(last), scalars.contains(where: { !("0"..."9").contains($0) })
        else {
            throw Refusal(
                .invalidUsername, "a username must begin and end with a letter or digit, and contain a letter",
                fields: ["username"])
        }
        guard !Self.reserved.contains(CaselessKey(composed).text) else {
            throw Refusal(
                .invalidUsername, "the username \(Refusal.quoted(composed)) is reserved; choose another one",
                fields: ["username"])
        }
        self.text = composed
    }

    package var description: String { text }
    /// The form in which two usernames are compared.
    var key: String { CaselessKey(text).text }

    private static let separators: Set<Unicode.Scalar> = [".", "_", "-"]
    /// Letters that do not decompose into an ASCII letter and marks.
    private static let otherLatinLetters: Set<Unicode.Scalar> = Set("æœøđłþðßÆŒØĐŁÞÐẞ".unicodeScalars)
    /// Names in addresses and in the audit log that are not an account's.
    private static let reserved: Set<String> = [
        "me", "anonymous", "antena", "deleted", "machine", "nobody", "null", "server", "system", "undefined",
    ]

    private static var wrongLength: Refusal {
        Refusal(
            .invalidUsername,
            "a username has \(minimumCharacterCount) to \(maximumCharacterCount) characters", fields: ["username"])
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": return true
        default: break
        }
        if otherLatinLetters.contains(scalar) { return true }
        // A composed letter is an ASCII letter with marks. Compatibility forms, such as fullwidth letters, are not
        // decomposed canonically and are refused.
        var parts = String(Character(scalar)).decomposedStringWithCanonicalMapping.unicodeScalars.makeIterator()
        guard let base = parts.next(), base.isASCII, base.properties.isAlphabetic, base != scalar else { return false }
        while let mark = parts.next() {
            guard mark.properties.generalCategory == .nonspacingMark else { return false }
        }
        return true
    }
}
