/// The words of a query as an FTS5 expression. Nothing that the user typed is interpreted as syntax.
struct SearchQuery: Equatable {
    /// The FTS5 expression: all words must occur, each as the beginning of a word.
    let expression: String

    static let maximumWordCount = 16
    static let maximumByteCount = 512

    /// Creates a query; `nil` if the text does not contain a word.
    init?(_ text: String) {
        let words = SearchText(String(text.prefix(Self.maximumByteCount))).folded.unicodeScalars
            .split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }
            .prefix(Self.maximumWordCount).map { String(String.UnicodeScalarView($0)) }
        guard !words.isEmpty else { return nil }
        expression = words.map { "\"\($0)\"*" }.joined(separator: " ")
    }
}
