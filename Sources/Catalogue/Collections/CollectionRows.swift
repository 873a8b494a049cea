import Database

/// The places of titles and tracks in collections. They follow from the records, and each function runs inside the
/// transaction of its caller.
enum CollectionRows {
    static let ofTitles = SQLTable("titleCollection", columns, key: key, indexes: indexes("titleCollection"))
    static let ofTracks = SQLTable("trackCollection", columns, key: key, indexes: indexes("trackCollection"))

    private static let key = ["list", "recordNumber"]
    private static let columns: [SQLColumn] = [
        .text("list"), .integer("recordNumber"), .text("collection"), .text("place"), .text("name"),
        .text("artist", .optional), .text("artistName", .optional), .integer("part"), .integer("position"),
        .text("sortKey"),
    ]

    private static func indexes(_ table: String) -> [SQLIndex] {
        [
            SQLIndex("\(table)_record", "recordNumber"),
            // The order of the list, and that of the items in each collection.
            SQLIndex("\(table)_order", "list", "place", "part", "position", "sortKey", "recordNumber"),
            SQLIndex("\(table)_collection", "list", "collection"),
        ]
    }

    /// The table with the places of records.
    static func table<Record: LibraryRecord>(of type: Record.Type) -> SQLTable {
        Record.tableName == TitleRecord.tableName ? ofTitles : ofTracks
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
        let old = try db.rows(
            "SELECT \(table.columnList) FROM \(table.name) WHERE recordNumber = ?1", [.integer(number)]
        ) { row in try row.values(of: table) }
        let wanted = entries.map { Self.values(of: record, $0, number: number) }
        for row in old where !wanted.contains(where: { $0[0] == row[0] }) {
            try db.execute("DELETE FROM \(table.name) WHERE list = ?1 AND recordNumber = ?2", [row[0], row[1]])
        }
        // Always in the same order, so that two servers do not wait for each other.
        for values in wanted where !old.contains(values) { try db.execute(table.upsert, values) }
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
