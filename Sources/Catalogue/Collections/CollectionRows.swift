import Database

/// The places of titles and tracks in collections. They follow from the records, and each function runs inside the
/// transaction of its caller.
enum CollectionRows {
    private static let columns: [SQLTable.Column] = [
        .init("list", .text), .init("recordNumber", .integer), .init("collection", .text), .init("place", .text),
        .init("name", .text), .init("artist", .text), .init("artistName", .text), .init("part", .integer),
        .init("position", .integer), .init("sortKey", .text),
    ]
    private static let key = ["list", "recordNumber"]

    static let ofTitles = SQLTable("titleCollection", columns, key: key)
    static let ofTracks = SQLTable("trackCollection", columns, key: key)

    /// The table with the places of records.
    static func table<Record: LibraryRecord>(of type: Record.Type) -> SQLTable {
        Record.tableName == TitleRecord.tableName ? ofTitles : ofTracks
    }

    /// One index has the order of the list and, for each collection, the order of what is in it.
    static let indexes: [(name: String, columns: String)] = [ofTitles, ofTracks].flatMap { table in
        [
            ("\(table.name)_record", "\(table.name)(recordNumber)"),
            ("\(table.name)_order", "\(table.name)(list, place, part, position, sortKey, recordNumber)"),
            ("\(table.name)_collection", "\(table.name)(list, collection)"),
        ]
    }

    static func createTables(_ db: any SQLConnection) throws {
        for table in [ofTitles, ofTracks] {
            let definitions = columns.map { column in
                let isOptional = ["artist", "artistName"].contains(column.name)
                return "\(column.name) \(db.dialect.name(of: column.type))" + (isOptional ? "" : " NOT NULL")
            }
            try db.execute(
                """
                CREATE TABLE \(table.name)(
                    \(definitions.joined(separator: ", ")), PRIMARY KEY (\(key.joined(separator: ", "))))
                """)
        }
        for index in indexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
    }

    /// Puts a record into the collections that it belongs to, and takes it from all others.
    ///
    /// - Parameters:
    ///   - record: the record.
    ///   - entries: where it belongs.
    ///   - number: its row number.
    ///   - db: the connection of the caller's transaction.
    static func place<Record: LibraryRecord>(
        _ record: Record, _ entries: [CollectionEntry], number: Int64, _ db: any SQLConnection
    ) throws {
        let table = table(of: Record.self)
        let names = table.columns.map(\.name).joined(separator: ", ")
        let old = try db.rows("SELECT \(names) FROM \(table.name) WHERE recordNumber = ?1", [.integer(number)], values)
        let wanted = entries.map { Self.values(of: record, $0, number: number) }
        for row in old where !wanted.contains(where: { $0[0] == row[0] }) {
            try db.execute("DELETE FROM \(table.name) WHERE list = ?1 AND recordNumber = ?2", [row[0], row[1]])
        }
        // Always in the same order, so that two servers do not wait for each other.
        for values in wanted where !old.contains(values) { try db.execute(table.upsert, values) }
    }

    private static func values(_ row: SQLRow) throws -> [SQLValue] {
        [
            .text(try row.value(0)), .integer(try row.value(1)), .text(try row.value(2)), .text(try row.value(3)),
            .text(try row.value(4)), SQLValue(try row.optional(5) as String?), SQLValue(try row.optional(6) as String?),
            .integer(try row.value(7)), .integer(try row.value(8)), .text(try row.value(9)),
        ]
    }

    private static func values<Record: LibraryRecord>(
        of record: Record, _ entry: CollectionEntry, number: Int64
    ) -> [SQLValue] {
        [
            .text(entry.list.name), .integer(number), .text(entry.collection), .text(entry.place), .text(entry.name),
            SQLValue(entry.artist?.id), SQLValue(entry.artist?.name), .integer(Int64(entry.part)),
            .integer(Int64(entry.position)), .text(SortKey(record.title).text),
        ]
    }

    /// Forgets a record that is deleted.
    static func remove<Record: LibraryRecord>(_ type: Record.Type, _ number: Int64, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM \(table(of: type).name) WHERE recordNumber = ?1", .integer(number))
    }

    /// Fills a table from the records.
    static func rebuild<Record: LibraryRecord>(
        _ type: Record.Type, _ db: any SQLConnection, _ entries: (Record) -> [CollectionEntry]
    ) throws {
        try db.execute("DELETE FROM \(table(of: type).name)")
        try Record.forEach(db) { record, number in try place(record, entries(record), number: number, db) }
    }

    /// Fills both tables.
    static func rebuildAll(_ db: any SQLConnection) throws {
        try rebuild(TitleRecord.self, db, \.collectionEntries)
        try rebuild(AudioTrackRecord.self, db, \.collectionEntries)
    }
}
