/// Words that a text must contain, each as the beginning of a word. Nothing that a user typed is interpreted as
/// syntax.
package struct FullTextQuery: Sendable, Hashable {
    private let words: [String]

    /// Length limit of an indexed word in bytes. PostgreSQL refuses lexemes from 2 KB on.
    private static let maximumWordByteCount = 255

    /// Creates a query from folded text; `nil` if it does not contain a word.
    ///
    /// - Parameters:
    ///   - text: what was typed, folded as the indexed text is.
    ///   - maximumWordCount: words after these are ignored.
    package init?(_ text: String, maximumWordCount: Int) {
        words = Self.words(text).prefix(maximumWordCount).map { $0 }
        if words.isEmpty { return nil }
    }

    /// The parameter of ``SQLDialect/fullTextMatches(in:parameter:)``.
    package func argument(for dialect: SQLDialect) -> SQLValue {
        switch dialect {
        case .sqlite: .text(words.map { "\"\($0)\"*" }.joined(separator: " "))
        // Words contain letters and digits only, so the quotation marks cannot be escaped from.
        case .postgreSQL: .text(words.map { "'\($0)':*" }.joined(separator: " & "))
        }
    }

    /// The text as it is stored in a full-text table: words of letters and digits, separated by spaces.
    package static func indexed(_ text: String) -> String { words(text).joined(separator: " ") }

    private static func words(_ text: String) -> [String] {
        text.unicodeScalars.split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }.map { word in
            var result = String.UnicodeScalarView()
            var byteCount = 0
            for scalar in word {
                byteCount += UTF8.width(scalar)
                if byteCount > maximumWordByteCount { break }
                result.append(scalar)
            }
            return String(result)
        }
    }
}
