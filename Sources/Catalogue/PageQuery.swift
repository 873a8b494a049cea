import Database
import MediaCore

/// A page of titles or tracks in one of their orders. One row more than the page tells whether another page
/// follows.
///
/// A search has two ways to its page. If few records match, they are read and sorted. If many match, the order of the
/// list is walked until the page is full, so that a search for a common word does not read and sort thousands of
/// records. Neither engine can tell how many records a beginning of a word matches, so they are counted first, up to
/// ``fewMatchesLimit``.
struct PageQuery<Record: LibraryRecord>: Sendable {
    /// The text of a search; `nil` for all records.
    private let search: WordSearch?
    private let position: PageCursor?
    private let limit: Int
    private let order: RecordOrder
    private let state: TitleState?
    private let kind: TitleKind?
    private let visible: RecordVisibility?
    private let dialect: SQLDialect

    /// The ways to a page.
    enum Plan: Sendable, CaseIterable {
        case list
        case searchWithFewMatches
        /// Looks the first rows of the list up in the index. Most pages of common words are full then.
        case searchInBeginning
        case searchWithManyMatches
    }

    /// Number of matches up to which all of them are read and sorted.
    static var fewMatchesLimit: Int { 1_000 }

    /// - Parameters:
    ///   - query: the records and their order.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: the number of records of a page.
    ///   - dialect: that of the database.
    /// - Returns: `nil` if the query does not contain a word.
    /// - Throws: `Refusal` if the cursor is not valid.
    init?(
        _ query: RecordQuery, _ cursor: String?, _ limit: Int, _ dialect: SQLDialect
    ) throws(Refusal) {
        if let text = query.words, !text.isEmpty {
            guard let search = WordSearch(text) else { return nil }
            self.search = search
        } else {
            search = nil
        }
        position = try cursor.map { text throws(Refusal) in try PageCursor(parsing: text, order: query.order) }
        self.limit = limit
        (order, state, visible) = (query.order, query.state, query.visible)
        kind = Record.tableName == TitleRecord.tableName ? query.kind : nil
        self.dialect = dialect
    }

    /// The rows of the page and the one that follows it.
    func rows<Row>(_ db: any SQLConnection, _ convert: (SQLRow) throws -> Row) throws -> [Row] {
        func rows(_ plan: Plan) throws -> [Row] {
            let statement = statement(plan)
            return try db.rows(statement.sql, statement.arguments, convert)
        }
        let plan = try plan(db)
        if plan == .searchWithManyMatches {
            let rows = try rows(.searchInBeginning)
            if rows.count > limit { return rows }
        }
        return try rows(plan)
    }

    /// The better way to the page.
    func plan(_ db: any SQLConnection) throws -> Plan {
        guard let search else { return .list }
        let count: Int = try db.firstValue(countStatement, search.words.argument(for: dialect)) ?? 0
        return count > Self.fewMatchesLimit ? .searchWithManyMatches : .searchWithFewMatches
    }

    /// Counts the records that have the words as beginnings of words, but not more than tell one way from the other.
    var countStatement: String {
        "SELECT count(*) FROM (\(matches) LIMIT \(Self.fewMatchesLimit + 1)) AS found"
    }

    /// Gives the row numbers of the records that have the words as beginnings of words. Its parameter is the first one.
    private var matches: String { dialect.fullTextMatches(in: Record.searchTableName, parameter: 1) }

    /// The statement of a page.
    func statement(_ plan: Plan) -> (sql: String, arguments: [SQLValue]) {
        let isMatched = plan == .searchWithFewMatches || plan == .searchWithManyMatches
        var arguments = isMatched ? [search?.words.argument(for: dialect) ?? .null] : []
        func parameter(_ value: SQLValue) -> String {
            arguments.append(value)
            return "?\(arguments.count)"
        }
        /// The condition that the rows come after the cursor, as the end of a list of conditions; `nil` for the first
        /// page.
        func afterCursor(_ key: String, _ id: String) -> String? {
            if order.isUnique { return position.map { "\(key) < \(parameter($0.value))" } }
            return position.map {
                "(\(key), \(id)) \(order.isDescending ? "<" : ">") (\(parameter($0.value)), \(parameter(.text($0.id))))"
            }
        }
        /// The order and the end of the page; one row more than the page.
        func page(_ key: String, _ id: String) -> String {
            "ORDER BY \(order.list(key, id)) LIMIT \(parameter(SQLValue(limit + 1)))"
        }
        /// Conditions that all hold; empty if there are none.
        func conditions(_ parts: [String?]) -> String {
            parts.compactMap(\.self).joined(separator: " AND ")
        }
        let ofState = state.map { "state = '\($0.rawValue)'" }
        let ofKind = kind.map(TitleKindRows.condition)
        let shown = visible.map { $0.condition(Record.tableName, parameter) }
        let sql: String
        switch plan {
        case .list:
            let all = conditions([ofKind, ofState, afterCursor(order.key, "id"), shown])
            let filter = all.isEmpty ? "" : "WHERE \(all) "
            sql = "\(Record.selection) \(filter)\(page(order.key, "id"))"
        case .searchWithFewMatches:
            let inside =
                search?.insideSteps(
                    Record.self, without: "begun", limit: Self.fewMatchesLimit, dialect, parameter) ?? []
            let begun = "begun(begunNumber) AS MATERIALIZED (\(matches) LIMIT \(Self.fewMatchesLimit))"
            let all = "SELECT begunNumber FROM begun" + (inside.isEmpty ? "" : " UNION SELECT insideNumber FROM inside")
            let steps = ([begun] + inside).joined(separator: ",\n")
            let filter = afterCursor("candidateKey", "candidateID").map { "WHERE \($0) " } ?? ""
            // Each step is carried out on its own. Otherwise PostgreSQL, which expects many matches of every beginning
            // of a word, would walk the whole list for a rare one.
            sql = """
                WITH \(steps),
                found(foundNumber) AS MATERIALIZED (\(all)),
                candidate(candidateNumber, candidateKey, candidateID) AS MATERIALIZED (
                    SELECT number, \(order.key), id FROM found CROSS JOIN \(Record.tableName)
                    WHERE \(conditions(["number = foundNumber", ofKind, ofState, shown]))),
                page(pageNumber) AS MATERIALIZED (
                    SELECT candidateNumber FROM candidate \(filter)\(page("candidateKey", "candidateID")))
                \(selectionOfPage)
                """
        case .searchInBeginning:
            let all = conditions([ofKind, ofState, afterCursor(order.key, "id"), shown])
            let isFound = search?.isFound(lookingUp: "number", Record.self, dialect, parameter) ?? "TRUE"
            sql = """
                WITH page(pageNumber) AS MATERIALIZED (
                    SELECT number FROM (
                        SELECT * FROM \(Record.tableName) \(all.isEmpty ? "" : "WHERE \(all) ")
                        ORDER BY \(order.list(order.key, "id")) LIMIT \(FullTextQuery.lookedUpRowCount)) AS beginning
                    WHERE \(isFound) \(page(order.key, "id")))
                \(selectionOfPage)
                """
        case .searchWithManyMatches:
            let inside = search?.insideSteps(Record.self, without: nil, limit: nil, dialect, parameter) ?? []
            let isFound = WordSearch.isFound("number", matches, hasInside: !inside.isEmpty)
            let all = conditions([ofKind, ofState, afterCursor(order.key, "id"), shown])
            let filter = all.isEmpty ? "" : "AND \(all) "
            sql = """
                WITH \((inside + [""]).joined(separator: ",\n"))page(pageNumber) AS MATERIALIZED (
                    SELECT number FROM \(Record.tableName) WHERE \(isFound)
                    \(filter)\(page(order.key, "id")))
                \(selectionOfPage)
                """
        }
        return (sql, arguments)
    }

    /// A `SELECT` of the records whose numbers are in `page`.
    private var selectionOfPage: String {
        "SELECT \(Record.table.columnList) FROM page CROSS JOIN \(Record.tableName) WHERE number = pageNumber "
            + "ORDER BY \(order.list(order.key, "id"))"
    }
}
