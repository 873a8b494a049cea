/// The rules of the forum in a language, in Markdown.
package struct ForumRules: Sendable, Hashable {
    /// The language, such as `es`.
    package var language: String
    package var text: String
    /// Whether an operator has written them; otherwise they are those of the program.
    package var isOwn: Bool

    package init(language: String, text: String, isOwn: Bool) {
        (self.language, self.text, self.isOwn) = (language, text, isOwn)
    }

    /// Limit of the text in characters.
    package static let maximumLength = 20_000
}
