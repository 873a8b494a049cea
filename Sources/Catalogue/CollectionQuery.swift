import Database

/// The statements that read collections. Each page needs one; each walks an index.
struct CollectionQuery<Record: LibraryRecord & Sendable> {
    let list: CollectionList
    let visible: RecordVisibility?

    private var table: String { CollectionRows.table(of: Record.self).name }
    private var record: String { Record.tableName }

    private static var columns: String { Record.table.columnList(of: Record.tableName) }

    /// The arguments of a statement while it is written.
    private struct Writer {
        var arguments: [SQLValue] = []

        mutating func parameter(_ value: SQLValue) -> String {
            arguments.append(value)
            return "?\(arguments.count)"
        }
    }

    /// The places of a list that may be shown, called `name`: tables and conditions.
    private struct Source {
        let table, record, list: String
        /// The condition for records that the reader may see; empty for all.
        let shown: String

        func rows(_ name: String, _ condition: String) -> String {
            // A join would be planned for all of a large collection on PostgreSQL, also where a few rows are wanted.
            let isShown =
                shown.isEmpty
                ? "" : " AND (SELECT 1 FROM \(record) WHERE \(record).number = \(name).recordNumber\(shown)) = 1"
            return "FROM \(table) AS \(name) WHERE \(name).list = \(list) AND \(condition)\(isShown)"
        }
    }

    private func source(_ writer: inout Writer) -> Source {
        let list = writer.parameter(.text(list.name))
        let shown = Catalogue.visibility(visible, record, &writer.arguments)
        return Source(table: table, record: record, list: list, shown: shown)
    }

    /// The order inside of a collection.
    private static func order(_ name: String) -> String {
        ["part", "position", "sortKey", "recordNumber"].map { "\(name).\($0)" }.joined(separator: ", ")
    }

    // MARK: Collections

    /// A page of collections: one look into the index for each, not one for each title.
    ///
    /// - Parameters:
    ///   - place: the place of the last collection of the page before; empty for the first page.
    ///   - limit: number of collections.
    func collections(after place: String, limit: Int) -> (sql: String, arguments: [SQLValue]) {
        var writer = Writer()
        let source = source(&writer)
        func next(_ place: String) -> String {
            "SELECT e.place \(source.rows("e", "e.place > \(place)")) ORDER BY e.place, \(Self.order("e")) LIMIT 1"
        }
        let start = writer.parameter(.text(place))
        let walk = """
            WITH RECURSIVE walk(place) AS (
                SELECT (\(next(start)))
                UNION ALL
                SELECT (\(next("walk.place"))) FROM walk WHERE walk.place IS NOT NULL),
            found(foundPlace) AS MATERIALIZED (
                SELECT place FROM walk WHERE place IS NOT NULL LIMIT \(writer.parameter(.integer(Int64(limit)))))
            """
        return ("\(walk)\n\(described(source))", writer.arguments)
    }

    /// The collection with an ID.
    func collection(id: String) -> (sql: String, arguments: [SQLValue]) {
        var writer = Writer()
        let source = source(&writer)
        let found = "WITH found(foundPlace) AS MATERIALIZED (SELECT \(place(ofID: id, source, &writer)))"
        return ("\(found)\n\(described(source))", writer.arguments)
    }

    private func place(ofID id: String, _ source: Source, _ writer: inout Writer) -> String {
        """
        (SELECT named.place FROM \(table) AS named
            WHERE named.list = \(source.list) AND named.collection = \(writer.parameter(.text(id))) LIMIT 1)
        """
    }

    /// The data that lists show of the places that were found: the first record, and how many there are.
    private func described(_ source: Source) -> String {
        let limit = LibraryCollection<Record>.maximumCount
        let first = """
            SELECT m.recordNumber \(source.rows("m", "m.place = found.foundPlace")) ORDER BY \(Self.order("m")) LIMIT 1
            """
        let count = """
            SELECT count(*) FROM (SELECT 1 \(source.rows("m", "m.place = found.foundPlace")) LIMIT \(limit)) AS counted
            """
        // What is found is read row by row, however many rows the engine expects.
        return """
            , described(firstNumber, counted) AS MATERIALIZED (SELECT (\(first)), (\(count)) FROM found)
            SELECT \(Self.columns), c.place, c.collection, c.name AS collectionName, c.artist AS artistID, c.artistName, counted
            FROM described CROSS JOIN \(table) AS c CROSS JOIN \(record)
            WHERE c.list = \(source.list) AND c.recordNumber = firstNumber AND \(record).number = firstNumber
            ORDER BY c.place
            """
    }

    static func collection(_ row: SQLRow) throws -> (place: String, collection: LibraryCollection<Record>) {
        (
            try row.value("place"),
            LibraryCollection(
                id: try row.value("collection"), name: try row.value("collectionName"),
                artistID: try row.optional("artistID"), artist: try row.optional("artistName"),
                count: Int(try row.value("counted") as Int64), first: try Record(row))
        )
    }

    // MARK: What is in one

    /// A page of the items in a collection.
    ///
    /// - Parameters:
    ///   - id: the ID of the collection.
    ///   - cursor: the end of the page before; `nil` for the first page.
    ///   - limit: number of records.
    ///   - more: further columns.
    ///   - join: a further table.
    func members(
        ofID id: String, after cursor: MemberCursor?, limit: Int, more: String = "", join: String = ""
    ) -> (sql: String, arguments: [SQLValue]) {
        var writer = Writer()
        let source = source(&writer)
        var condition = "m.place = \(place(ofID: id, source, &writer))"
        if let cursor {
            let keys = cursor.keys.map { writer.parameter($0) }.joined(separator: ", ")
            condition += " AND (\(Self.order("m"))) > (\(keys))"
        }
        let sql = """
            WITH page(pageNumber, part, position, sortKey) AS MATERIALIZED (
                SELECT m.recordNumber, m.part, m.position, m.sortKey \(source.rows("m", condition))
                ORDER BY \(Self.order("m")) LIMIT \(writer.parameter(.integer(Int64(limit)))))
            SELECT \(Self.columns), page.part, page.position, page.sortKey AS pageKey, pageNumber\(more)
            FROM page CROSS JOIN \(record) \(join)
            WHERE \(record).number = pageNumber ORDER BY page.part, page.position, page.sortKey, pageNumber
            """
        return (sql, writer.arguments)
    }

    static func member(_ row: SQLRow) throws -> (record: Record, cursor: MemberCursor) {
        (
            try Record(row),
            MemberCursor(
                part: try row.value("part"), position: try row.value("position"), sortKey: try row.value("pageKey"),
                number: try row.value("pageNumber"))
        )
    }
}
