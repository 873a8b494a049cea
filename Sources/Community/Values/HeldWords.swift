import Catalogue
import MediaCore

/// Words that the operator does not want in texts of members before somebody has read them. Whole words are compared,
/// without case and accents.
package struct HeldWords: Sendable, Hashable {
    /// Words without spaces, folded.
    private let words: Set<String>
    /// Entries of several words, folded, with a space between two, before and after.
    private let phrases: [String]

    /// Limits of the list, and of an entry in characters.
    package static let maximumCount = 1_000
    package static let maximumLength = 100

    package init(_ entries: [String] = []) {
        let entries = entries.prefix(Self.maximumCount).map { Self.words(String($0.prefix(Self.maximumLength))) }
        words = Set(entries.filter { $0.count == 1 }.flatMap { $0 })
        phrases = Set(entries.filter { $0.count > 1 }.map(Self.joined)).sorted()
    }

    /// Whether a text has one of the words.
    package func areIn(_ text: String) -> Bool {
        guard !words.isEmpty || !phrases.isEmpty else { return false }
        let found = Self.words(text)
        if found.contains(where: words.contains) { return true }
        guard !phrases.isEmpty else { return false }
        let text = Self.joined(found)
        return phrases.contains { text.contains($0) }
    }

    /// Refuses a text that nobody approves.
    ///
    /// - Throws: `Refusal` with `invalidField` if it has one of the words.
    func refuse(_ text: String, _ field: String) throws(Refusal) {
        guard areIn(text) else { return }
        throw Refusal(
            .invalidField, "the field `\(field)` contains a word that this server does not allow", field: field)
    }

    private static func words(_ text: String) -> [String] {
        SearchText(text).folded.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    private static func joined(_ words: [String]) -> String { " \(words.joined(separator: " ")) " }
}
