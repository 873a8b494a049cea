/// A text with all that is stored of it. It is made before a transaction, because that of a megabyte takes its time.
struct CommentContents: Sendable {
    let text: String
    /// The words for search; see `ForumText`.
    let words: String
    /// The places of the comments that it quotes.
    let quoted: [Int64]

    init(_ text: String) {
        self.text = text
        words = ForumText.words(text)
        quoted = Array(QuotedPlaces.all(in: text).prefix(ForumComment.maximumQuoteCount))
    }
}
