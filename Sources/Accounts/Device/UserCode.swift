/// The short code that a television shows and a person types on a phone (RFC 8628 §6.1).
package struct UserCode: Sendable, Hashable, CustomStringConvertible {
    /// Eight letters without a separator.
    let letters: String

    /// Consonants only: no letters that look like digits or like each other when spoken, and no words.
    private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ")
    /// 20^8 codes, 34 bits; the limit of attempts does the rest (RFC 8628 §5.1).
    private static let letterCount = 8
    private static let maximumTypedByteCount = 40

    /// Creates a random code.
    init() {
        var generator = SystemRandomNumberGenerator()
        letters = String(
            (0..<Self.letterCount).map { _ in Self.alphabet[Int.random(in: 0..<Self.alphabet.count, using: &generator)]
            }
        )
    }

    /// Parses a code as it was typed, in any case and with any separators; `nil` if it cannot be one.
    package init?(parsing text: String) {
        guard text.utf8.count <= Self.maximumTypedByteCount else { return nil }
        let typed = text.uppercased().filter { $0.isLetter || $0.isNumber }
        guard typed.count == Self.letterCount, typed.allSatisfy(Self.alphabet.contains) else { return nil }
        letters = typed
    }

    /// The code as it is shown: `WDJB-MJHT`.
    package var description: String { "\(letters.prefix(4))-\(letters.dropFirst(4))" }
}
