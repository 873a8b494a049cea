/// Words that a text must contain, each as the beginning of a word. Nothing that a user typed is interpreted as
/// syntax.
package struct FullTextQuery: Sendable, Hashable {
    private let words: [String]

    /// Length limit of an indexed word in bytes. PostgreSQL refuses lexemes from 2 KB on.
    private static let maximumWordByteCount = 255

    /// Limit of the words that are compared with one another.
    private static let maximumComparedCount = 100

    /// Number of rows of a list that are looked up by ``condition(on:in:for:_:)`` before all matches are read instead.
    /// A page of words that every twentieth row has is full by then.
    package static let lookedUpRowCount = 500

    /// Creates a query from folded text; `nil` if it does not contain a word.
    ///
    /// - Parameters:
    ///   - text: what was typed, folded as the indexed text is.
    ///   - maximumWordCount: words after these are ignored.
    package init?(_ text: String, maximumWordCount: Int) {
        words = Self.withoutBeginnings(Self.words(text)).prefix(maximumWordCount).map { $0 }
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

    /// A condition on rows of another table: that the text with the number in one of their columns contains the words.
    /// Each row is looked up when it is asked about, so that a list that is walked until its page is full does not
    /// first read everything that matches.
    ///
    /// - Parameters:
    ///   - column: the name of the column.
    ///   - table: name of a table that ``SQLDialect/fullTextTable(_:)`` has made.
    ///   - dialect: that of the database.
    ///   - parameter: notes a parameter and gives its place.
    package func condition(
        on column: String, in table: String, for dialect: SQLDialect, _ parameter: (SQLValue) -> String
    ) -> String {
        // As a value and not as a join, for which PostgreSQL would choose the order by its guess of the matches.
        let matches: String
        switch dialect {
        case .sqlite:
            matches = words.map { "instr(' ' || text, \(parameter(.text(" " + $0)))) > 0" }.joined(separator: " AND ")
        case .postgreSQL: matches = "words @@ \(parameter(argument(for: dialect)))::tsquery"
        }
        return "(SELECT \(matches) FROM \(table) WHERE rowid = \(column))"
    }

    /// The text as it is stored in a full-text table: words of letters and digits, separated by spaces.
    package static func indexed(_ text: String) -> String { words(text).joined(separator: " ") }

    /// The words that are not the beginning of another one, each once: what has the other ones has them, too.
    private static func withoutBeginnings(_ words: [String]) -> [String] {
        var known: Set<String> = []
        let words = words.filter { known.insert($0).inserted }.prefix(maximumComparedCount)
        return words.filter { word in
            !words.contains { $0 != word && $0.unicodeScalars.starts(with: word.unicodeScalars) }
        }
    }

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
