/// Pieces of words that a text must contain, so that a search finds the middle of a word: `bahn` in `Autobahn`. A text
/// with all pieces of a word need not contain the word, which the caller compares afterwards.
package struct FullTextPieces: Sendable, Hashable {
    private let pieces: [String]

    /// Number of characters (Unicode scalars) of a piece.
    package static let length = 3
    /// Limit of the pieces that are indexed of a text, and of those that are looked for.
    private static let maximumIndexedCount = 4_000
    private static let maximumWantedCount = 64

    /// Creates a query from folded text; `nil` if no word is as long as a piece.
    ///
    /// - Parameter text: what was typed, folded as the indexed text is.
    package init?(_ text: String) {
        pieces = Array(Self.pieces(text, every: Self.length).prefix(Self.maximumWantedCount))
        if pieces.isEmpty { return nil }
    }

    /// The parameter of ``SQLDialect/fullTextMatches(in:parameter:)``.
    package func argument(for dialect: SQLDialect) -> SQLValue {
        switch dialect {
        case .sqlite: .text(pieces.map { "\"\($0)\"" }.joined(separator: " "))
        // Pieces consist of letters and digits only, so the quotation marks cannot be escaped from.
        case .postgreSQL: .text(pieces.map { "'\($0)'" }.joined(separator: " & "))
        }
    }

    /// The text as it is stored in a full-text table.
    package static func indexed(_ text: String) -> String {
        pieces(text, every: 1).prefix(maximumIndexedCount).joined(separator: " ")
    }

    /// The pieces of all words, each once.
    ///
    /// - Parameter step: how far the beginnings of two pieces lie apart. The last piece ends with the word.
    private static func pieces(_ text: String, every step: Int) -> [String] {
        var known: Set<String> = []
        return FullTextQuery.indexed(text).split(separator: " ").flatMap { word -> [String] in
            let scalars = Array(word.unicodeScalars)
            guard scalars.count >= length else { return [] }
            let last = scalars.count - length
            return (Array(stride(from: 0, to: last, by: step)) + [last]).map { start in
                String(String.UnicodeScalarView(scalars[start..<(start + length)]))
            }
        }.filter { known.insert($0).inserted }
    }
}
