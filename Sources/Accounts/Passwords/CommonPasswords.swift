/// Passwords that are tried first: those of a list, and those that follow a simple pattern.
enum CommonPasswords {
    /// The list of `Resources/common-passwords.txt`; its first lines say where it comes from.
    private static let list: Set<Substring> = Set(
        String(decoding: PackageResources.common_passwords_txt, as: UTF8.self)
            .split(separator: "\n").filter { !$0.hasPrefix("#") })

    /// Rows of keyboards and counting, in which a password is a part.
    private static let sequences = [
        "01234567890123456789", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm", "qwertyuiop[]asdfghjkl;'",
        "qwertzuiopasdfghjklyxcvbnm", "azertyuiopqsdfghjklmwxcvbn", "asdfghjklñ", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol",
        "1q2w3e4r5t6y7u8i9o0p", "qazwsxedcrfvtgbyhnujmikolp",
    ]
    /// The most different characters of a password that is only a few characters repeated.
    private static let maximumRepeatedUnitCharacterCount = 3

    /// Whether a password is one of these, in any case, and with digits and marks after a word of the list.
    static func contains(_ password: String) -> Bool {
        let folded = password.lowercased()
        if list.contains(Substring(folded)) || isRepetition(folded) || isSequence(folded) { return true }
        let word = folded.reversed().drop { !$0.isLetter }.reversed()
        return folded.count - word.count <= maximumSuffixCharacterCount && list.contains(Substring(String(word)))
    }

    /// Longer endings are hard enough to guess by themselves.
    private static let maximumSuffixCharacterCount = 4

    private static func isSequence(_ text: String) -> Bool {
        sequences.contains { $0.contains(text) || String($0.reversed()).contains(text) }
    }

    /// Whether a text is one to three characters again and again, such as `ababab`.
    private static func isRepetition(_ text: String) -> Bool {
        let characters = Array(text)
        return (1...maximumRepeatedUnitCharacterCount).contains { length in
            characters.count >= 2 * length
                && characters.indices.allSatisfy { characters[$0] == characters[$0 % length] }
        }
    }
}
