/// Random text from the system's generator, in letters and digits that are not mistaken for each other.
enum RandomText {
    /// Crockford's base 32 in lower case: no `i`, `l`, `o` and `u`.
    static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    /// 26 letters of 5 bits hold 128 bits.
    static let identifierCharacterCount = 26

    /// The text of a new identifier: 130 random bits.
    static func identifier() -> String { letters(identifierCharacterCount) }

    /// Random letters of 5 bits each.
    static func letters(_ count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Random bytes.
    static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Whether a text could have been made by ``identifier()``.
    static func isIdentifier(_ text: some StringProtocol) -> Bool {
        text.utf8.count == identifierCharacterCount && text.utf8.allSatisfy(alphabet.contains)
    }
}
