import Database

/// The words of a search, and the ways to the records whose text contains it: each word as the beginning of a word, or
/// inside of one if it has at least three letters.
struct WordSearch: Sendable {
    /// The words as beginnings of words, which both engines find quickly.
    let words: FullTextQuery
    /// `nil` if all words are too short to be looked for inside others.
    private let pieces: FullTextPieces?
    /// Each word as it is stored.
    let parts: [String]

    /// Whether something is looked for inside of words.
    var looksInside: Bool { pieces != nil }

    /// Limit of the records with all pieces of the search text that are compared with it.
    static let maximumComparedCount = 10_000

    /// Notes a parameter of a statement and gives its place.
    typealias Parameter = (SQLValue) -> String

    /// - Parameter text: what was typed; what is too long is cut.
    /// - Returns: `nil` if it does not contain a word.
    init?(_ text: String) {
        let folded = SearchText(String(text.prefix(Catalogue.maximumQueryCharacterCount))).folded
        guard let words = FullTextQuery(folded, maximumWordCount: Catalogue.maximumQueryWordCount) else { return nil }
        self.words = words
        pieces = FullTextPieces(folded)
        let parts = FullTextQuery.indexed(folded).split(separator: " ").map(String.init)
        self.parts = Array(parts.prefix(Catalogue.maximumQueryWordCount))
    }

    /// Steps of a statement, the last of which is `inside(insideNumber)`: records that contain what was typed, also
    /// inside of words.
    ///
    /// - Parameters:
    ///   - type: the records.
    ///   - begun: a step whose numbers in `begunNumber` are left out; `nil` for none.
    ///   - limit: number of rows of the last step; `nil` for all.
    ///   - dialect: that of the database.
    ///   - parameter: notes a parameter.
    /// - Returns: no steps if nothing is looked for inside of words.
    func insideSteps<Record: LibraryRecord>(
        _ type: Record.Type, without begun: String?, limit: Int?, _ dialect: SQLDialect, _ parameter: Parameter
    ) -> [String] {
        guard let pieces else { return [] }
        let matches = dialect.fullTextMatches(
            in: Record.pieceTableName, at: parameter(pieces.argument(for: dialect)))
        let contains = lookedUp("otherNumber", Record.self, dialect, parameter)
        let rest = begun.map { " EXCEPT SELECT begunNumber FROM \($0)" } ?? ""
        return [
            "piece(pieceNumber) AS MATERIALIZED (\(matches) LIMIT \(Self.maximumComparedCount))",
            "other(otherNumber) AS MATERIALIZED (SELECT pieceNumber FROM piece\(rest))",
            """
            inside(insideNumber) AS MATERIALIZED (
                SELECT otherNumber FROM other WHERE \(contains)\(limit.map { " LIMIT \($0)" } ?? ""))
            """,
        ]
    }

    /// The condition that a record contains what was typed, all of which are found first.
    ///
    /// - Parameters:
    ///   - column: the column with the number of the record.
    ///   - matches: a statement that gives the numbers of the records that have the words.
    ///   - hasInside: whether the statement has the steps of ``insideSteps(_:without:limit:_:_:)``.
    static func isFound(_ column: String, _ matches: String, hasInside: Bool) -> String {
        let inside = hasInside ? " OR \(column) IN (SELECT insideNumber FROM inside)" : ""
        // `IS TRUE` keeps both engines from reading the records that match first.
        return "(\(column) IN (\(matches))\(inside)) IS TRUE"
    }

    /// The condition that a record contains what was typed, which is looked up for each record.
    ///
    /// - Parameter column: the column with the number of the record.
    func isFound<Record: LibraryRecord>(
        lookingUp column: String, _ type: Record.Type, _ dialect: SQLDialect, _ parameter: Parameter
    ) -> String {
        guard pieces != nil else {
            return words.condition(on: column, in: Record.searchTableName, for: dialect, parameter)
        }
        return lookedUp(column, type, dialect, parameter)
    }

    /// The condition that the text of a record contains what was typed, as a value and not as a join, for which
    /// PostgreSQL would read all texts; see `FullTextQuery`.
    private func lookedUp<Record: LibraryRecord>(
        _ column: String, _ type: Record.Type, _ dialect: SQLDialect, _ parameter: Parameter
    ) -> String {
        let contains = condition(on: "text", dialect, parameter)
        return "(SELECT \(contains) FROM \(Record.searchTableName) WHERE rowid = \(column))"
    }

    /// A word of two letters begins a word; longer ones may be inside of one.
    private func condition(on column: String, _ dialect: SQLDialect, _ parameter: Parameter) -> String {
        parts.map { part in
            let isShort = part.unicodeScalars.count < FullTextPieces.length
            let text = isShort ? "(' ' || \(column))" : column
            return dialect.containsExactly(text, parameter(.text(isShort ? " " + part : part)))
        }.joined(separator: " AND ")
    }
}
