/// Words that a person typed, as an FTS5 expression in which nothing they typed is syntax.
struct SearchQuery: Equatable {
    /// All words have to be found; each may be the beginning of one.
    let expression: String

    static let maximumWordCount = 16
    static let maximumByteCount = 512

    /// `nil` where there is no word in it.
    init?(_ text: String) {
        let words = SearchText(String(text.prefix(Self.maximumByteCount))).folded.unicodeScalars
            .split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }
            .prefix(Self.maximumWordCount).map { String(String.UnicodeScalarView($0)) }
        guard !words.isEmpty else { return nil }
        expression = words.map { "\"\($0)\"*" }.joined(separator: " ")
    }
}
