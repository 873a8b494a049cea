import Database
import MediaCore

/// A page of a shelf. One row more than the page tells whether another page follows.
///
/// As with `PageQuery` there are two ways: what a search finds is read and sorted if it is little, and the shelf is
/// walked in its order if it is much. A page needs three statements at most.
struct ShelfPage: Sendable {
    let order: ShelfOrder
    private let query: ShelfQuery
    private let search: Search?
    private let cursor: ShelfCursor?
    private let limit: Int
    private let dialect: SQLDialect

    /// The text of a search.
    private struct Search: Sendable {
        var words: WordSearch
        /// The whole text in the form of a sort key.
        var key: String
    }

    /// The ways to a page.
    enum Plan: Sendable, CaseIterable {
        /// Walks the shelf in its order.
        case walk
        /// Walks the first rows of the shelf and looks each of them up in the index. Most pages of common words are
        /// full then.
        case beginning
        /// Reads and sorts what was found.
        case few
    }

    /// Number of matches up to which all of them are read and sorted.
    static var fewMatchesLimit: Int { PageQuery<TitleRecord>.fewMatchesLimit }
    /// A character that sorts after every letter.
    private static let lastLetter = "\u{10FFFF}"

    /// - Returns: `nil` if the query does not contain a word.
    /// - Throws: `Refusal` if the cursor is not valid.
    init?(_ query: ShelfQuery, _ cursor: String?, _ limit: Int, _ dialect: SQLDialect) throws(Refusal) {
        if let text = query.words, !text.isEmpty {
            let text = String(text.prefix(Catalogue.maximumQueryCharacterCount))
            guard let words = WordSearch(text) else { return nil }
            search = Search(words: words, key: SortKey(text).text)
            order = query.order
        } else {
            search = nil
            order = query.order == .relevance ? .title : query.order
        }
        let order = order
        self.cursor = try cursor.map { text throws(Refusal) in try ShelfCursor(parsing: text, order: order) }
        (self.query, self.limit, self.dialect) = (query, limit, dialect)
    }

    private var shelf: String {
        (query.channel.map(Shelf.init(channel:)) ?? query.genre.map(Shelf.init(genre:)) ?? sectionShelf).name
    }

    private var sectionShelf: Shelf {
        switch query.section {
        case .featured: .featured
        case .offers: .offers
        case .free: .free
        case .new, nil: Shelf(kind: query.kind)
        }
    }

    /// The rows of the page and the one that follows it, with what they are ordered by.
    func rows(_ db: any SQLConnection) throws -> [(title: ListedTitle, cursor: ShelfCursor)] {
        let plan = try plan(db)
        if plan == .walk, search != nil {
            let rows = try rows(.beginning, db)
            if rows.count > limit { return rows }
        }
        return try rows(plan, db)
    }

    private func rows(
        _ plan: Plan, _ db: any SQLConnection
    ) throws -> [(title: ListedTitle, cursor: ShelfCursor)] {
        let statement = statement(plan)
        return try db.rows(statement.sql, statement.arguments) { row in
            let keys = try order.columns.indices.map { index -> SQLValue in
                order.columns[index].kind == .text
                    ? .text(try row.value("key\(index)")) : .integer(try row.value("key\(index)"))
            }
            return (
                ListedTitle(record: try TitleRecord(row), listing: try ShelfRows.listing(row)),
                ShelfCursor(order: order, isWalk: plan != .few, keys: keys, number: try row.value("pageNumber"))
            )
        }
    }

    /// The better way to the page; that of the page before, whose order it has.
    func plan(_ db: any SQLConnection) throws -> Plan {
        if let cursor { return cursor.isWalk ? .walk : .few }
        guard let count = countStatement else { return .walk }
        let found: Int = try db.first(count.sql, count.arguments) { row in try row.value(0) } ?? 0
        return found > Self.fewMatchesLimit ? .walk : .few
    }

    /// Counts what has to be sorted, but not more than tells one way from the other; `nil` if an index has the order.
    var countStatement: (sql: String, arguments: [SQLValue])? {
        var arguments: [SQLValue] = []
        guard let selection = selection(&arguments, limit: Self.fewMatchesLimit + 1) else { return nil }
        return ("SELECT count(*) FROM (\(selection)) AS found", arguments)
    }

    /// Gives the row numbers of the titles that a page is sorted from.
    private func selection(_ arguments: inout [SQLValue], limit: Int) -> String? {
        if let search {
            arguments.append(search.words.words.argument(for: dialect))
            return "\(matches(parameter: arguments.count)) LIMIT \(limit)"
        }
        guard query.section == .new, order != .newest else { return nil }
        arguments += [.text(Shelf(kind: query.kind).name), .time(query.newSince)]
        return """
            SELECT titleNumber FROM titleShelf WHERE shelf = ?\(arguments.count - 1) AND addedAt >= ?\(arguments.count)
            LIMIT \(limit)
            """
    }

    private func matches(parameter: Int) -> String {
        dialect.fullTextMatches(in: TitleRecord.searchTableName, parameter: parameter)
    }

    // MARK: Statements

    /// The statement of a page: the columns of titles, the row number, the keys, and the listing.
    func statement(_ plan: Plan) -> (sql: String, arguments: [SQLValue]) {
        var arguments: [SQLValue] = []
        let keys = order.columns.indices.map { "key\($0)" }.joined(separator: ", ")
        let page =
            switch plan {
            case .few: few(keys, &arguments)
            case _ where order == .relevance: relevantFirst(plan, &arguments)
            case _: "page(pageNumber, \(keys)) AS MATERIALIZED (\(walk(plan, &arguments)))"
            }
        let inside = plan == .walk ? insideSteps(&arguments) : []
        let sql = """
            WITH \((inside + [page]).joined(separator: ",\n"))
            SELECT \(TitleRecord.table.columnList), pageNumber, \(keys), \(ShelfRows.listingColumns)
            FROM page CROSS JOIN title \(ShelfRows.listingJoin)
            WHERE number = pageNumber ORDER BY \(terms(order.columns.indices.map { "key\($0)" }, "pageNumber"))
            """
        return (sql, arguments)
    }

    private func terms(_ keys: [String], _ number: String) -> String {
        (keys + [number]).map { order.isDescending ? "\($0) DESC" : $0 }.joined(separator: ", ")
    }

    private func parameter(_ value: SQLValue, _ arguments: inout [SQLValue]) -> String {
        arguments.append(value)
        return "?\(arguments.count)"
    }

    /// The condition that rows come after the cursor; `nil` for the first page.
    private func afterCursor(
        _ keys: [String], _ number: String, values: [SQLValue]?, _ arguments: inout [SQLValue]
    ) -> String? {
        guard let cursor, let values else { return nil }
        let places = (values + [.integer(cursor.number)]).map { parameter($0, &arguments) }
        return
            "(\((keys + [number]).joined(separator: ", "))) \(order.isDescending ? "<" : ">") (\(places.joined(separator: ", ")))"
    }

    /// The tables and conditions of a shelf, called `s`, with what the reader may be shown.
    private func source(
        _ more: [String?], _ arguments: inout [SQLValue], from found: String = ""
    ) -> String {
        var conditions = ["s.shelf = \(parameter(.text(shelf), &arguments))"]
        var tables = "\(found)titleShelf AS s"
        if query.section == .new { conditions.append("s.addedAt >= \(parameter(.time(query.newSince), &arguments))") }
        if query.genre != nil, query.section != nil, query.section != .new {
            let name = parameter(.text(sectionShelf.name), &arguments)
            conditions.append(
                """
                EXISTS (SELECT 1 FROM titleShelf AS other
                    WHERE other.shelf = \(name) AND other.titleNumber = s.titleNumber)
                """)
        }
        conditions += more.compactMap(\.self)
        let shown = Catalogue.visibility(query.visible, TitleRecord.tableName, &arguments)
        if !shown.isEmpty {
            tables += " CROSS JOIN title"
            conditions.append("title.number = s.titleNumber\(shown)")
        }
        return "FROM \(tables) WHERE \(conditions.joined(separator: " AND "))"
    }

    /// The condition that a row of a shelf matches the search, all of whose matches are read first; `nil` without one.
    private func matching(_ arguments: inout [SQLValue]) -> String? {
        guard let search else { return nil }
        arguments.append(search.words.words.argument(for: dialect))
        return WordSearch.isFound(
            "s.titleNumber", matches(parameter: arguments.count), hasInside: search.words.looksInside)
    }

    /// The steps that find what was typed inside of words, for a shelf that is walked.
    private func insideSteps(_ arguments: inout [SQLValue]) -> [String] {
        search?.words.insideSteps(TitleRecord.self, without: nil, limit: nil, dialect) { parameter($0, &arguments) }
            ?? []
    }

    /// The condition that a row matches the search, which is looked up for each row; `nil` without a search.
    private func lookedUp(_ column: String, _ arguments: inout [SQLValue]) -> String? {
        search?.words.isFound(lookingUp: column, TitleRecord.self, dialect) { parameter($0, &arguments) }
    }

    private func walk(_ plan: Plan, _ arguments: inout [SQLValue]) -> String {
        let keys = order.columns.map { "s.\($0.name)" }
        return walk(
            plan, keys, [afterCursor(keys, "s.titleNumber", values: cursor?.keys, &arguments)], &arguments)
    }

    /// Walks a shelf until the page is full, or to the end of its first rows.
    private func walk(
        _ plan: Plan, _ keys: [String], _ conditions: [String?], _ arguments: inout [SQLValue]
    ) -> String {
        let names = keys.indices.map { "walked\($0)" }
        let columns = zip(keys, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
        let isBeginning = plan == .beginning
        let more = isBeginning ? conditions : conditions + [matching(&arguments)]
        let walk = """
            SELECT s.titleNumber AS walked, \(columns) \(source(more, &arguments))
            ORDER BY \(terms(keys, "s.titleNumber")) LIMIT \(isBeginning ? FullTextQuery.lookedUpRowCount : limit + 1)
            """
        guard isBeginning, let found = lookedUp("walked", &arguments) else { return walk }
        return """
            SELECT * FROM (\(walk)) AS beginning WHERE \(found) ORDER BY \(terms(names, "walked")) LIMIT \(limit + 1)
            """
    }

    /// Walks the titles that begin with what was typed, then all others that have its words.
    private func relevantFirst(_ plan: Plan, _ arguments: inout [SQLValue]) -> String {
        let key = search?.key ?? ""
        let fits = [0, 1].map { "CAST(\($0) AS \(dialect.name(of: .integer)))" }
        func part(_ fit: Int, _ arguments: inout [SQLValue]) -> String? {
            let isReached = cursor?.keys.first == .integer(Int64(fit))
            if fit == 0, cursor != nil, !isReached { return nil }
            let from = parameter(.text(key), &arguments)
            let to = parameter(.text(key + Self.lastLetter), &arguments)
            let values = isReached ? cursor.map { Array($0.keys.dropFirst()) } : nil
            let after = afterCursor(["s.sortKey"], "s.titleNumber", values: values, &arguments)
            let begins = "(s.sortKey >= \(from) AND s.sortKey < \(to))"
            guard fit == 0 else {
                let others = walk(plan, ["s.sortKey"], ["NOT \(begins)", after], &arguments)
                return "SELECT walked, \(fits[fit]), walked0 FROM (\(others)) AS other"
            }
            // Nearly all of these match.
            let conditions = [begins, after, lookedUp("s.titleNumber", &arguments)]
            return """
                SELECT * FROM (SELECT s.titleNumber, \(fits[fit]) AS fit, s.sortKey \(source(conditions, &arguments))
                ORDER BY s.sortKey, s.titleNumber LIMIT \(limit + 1)) AS begun
                """
        }
        let parts = [part(0, &arguments), part(1, &arguments)].compactMap(\.self)
        return """
            candidate(pageNumber, key0, key1) AS MATERIALIZED (\(parts.joined(separator: " UNION ALL "))),
            page(pageNumber, key0, key1) AS MATERIALIZED (
                SELECT * FROM candidate ORDER BY key0, key1, pageNumber LIMIT \(limit + 1))
            """
    }

    /// Reads and sorts what was found. Each step is carried out on its own; see `PageQuery`.
    private func few(_ keys: String, _ arguments: inout [SQLValue]) -> String {
        let selection =
            selection(&arguments, limit: Self.fewMatchesLimit) ?? "SELECT titleNumber FROM titleShelf LIMIT 0"
        var steps = ["begun(begunNumber) AS MATERIALIZED (\(selection))"]
        var found = "SELECT begunNumber FROM begun"
        let inside =
            search?.words.insideSteps(
                TitleRecord.self, without: "begun", limit: Self.fewMatchesLimit, dialect
            ) { parameter($0, &arguments) } ?? []
        if !inside.isEmpty {
            steps += inside
            found += " UNION SELECT insideNumber FROM inside"
        }
        let expressions = order.columns.map { $0.name == "fit" ? fit(&arguments) : "s.\($0.name)" }
        let source = source(["s.titleNumber = foundNumber"], &arguments, from: "found CROSS JOIN ")
        let names = order.columns.indices.map { "key\($0)" }
        let after = afterCursor(names, "candidateNumber", values: cursor?.keys, &arguments).map { "WHERE \($0) " } ?? ""
        steps += [
            "found(foundNumber) AS MATERIALIZED (\(found))",
            """
            candidate(candidateNumber, \(keys)) AS MATERIALIZED (
                SELECT s.titleNumber, \(expressions.joined(separator: ", ")) \(source))
            """,
            """
            page(pageNumber, \(keys)) AS MATERIALIZED (
                SELECT candidateNumber, \(keys) FROM candidate
                \(after)ORDER BY \(terms(names, "candidateNumber")) LIMIT \(limit + 1))
            """,
        ]
        return steps.joined(separator: ",\n")
    }

    /// How well a title fits what was typed, the best first: it is the name, the name begins with it, a word of the
    /// name does, the name contains it, or something else does.
    private func fit(_ arguments: inout [SQLValue]) -> String {
        let key = search?.key ?? ""
        let exact = parameter(.text(key), &arguments)
        let end = parameter(.text(key + Self.lastLetter), &arguments)
        arguments.append(.text(" " + key))
        let word = dialect.contains("(' ' || s.sortKey)", parameter: arguments.count)
        arguments.append(.text(key))
        let inside = dialect.contains("s.sortKey", parameter: arguments.count)
        return """
            CAST(CASE WHEN s.sortKey = \(exact) THEN 0 WHEN s.sortKey >= \(exact) AND s.sortKey < \(end) THEN 1
                WHEN \(word) THEN 2 WHEN \(inside) THEN 3 ELSE 4 END AS \(dialect.name(of: .integer)))
            """
    }
}
