import Database
import LibraryDetails

/// A title or track as it is stored: a row, and its words in a full-text table.
protocol LibraryRecord: CatalogueRecord, StoredRecord, Equatable {
    /// Name of the full-text table, whose rows have the record's row number.
    static var searchTableName: String { get }
    /// The text whose words find the record.
    var searchText: String { get }
    /// Name of the full-text table with the pieces of words, which find the middle of a word.
    static var pieceTableName: String { get }
    /// The text whose pieces find the record.
    var pieceText: String { get }
    /// ID for records whose title cannot be turned into a slug.
    static var fallbackID: String { get }
    /// Puts a new record into lists that have tables of their own.
    func addToLists(number: Int64, _ db: any SQLConnection) throws
    /// Brings those lists up to date with the record.
    func updateLists(number: Int64, _ db: any SQLConnection) throws
    /// Takes a record that is deleted from those lists.
    static func removeFromLists(number: Int64, _ db: any SQLConnection) throws
}

extension LibraryRecord {
    func addToLists(number: Int64, _ db: any SQLConnection) throws {}
    func updateLists(number: Int64, _ db: any SQLConnection) throws {}
    static func removeFromLists(number: Int64, _ db: any SQLConnection) throws {}

    /// The row number of the record with this ID; `nil` if there is none.
    static func number(ofID id: String, _ db: any SQLConnection) throws -> Int64? {
        try db.firstValue("SELECT number FROM \(tableName) WHERE id = ?1", .text(id))
    }

    /// Records with their row numbers, in the order of those.
    ///
    /// - Parameters:
    ///   - last: the number after which the batch begins; 0 for the first.
    ///   - condition: a further condition; `nil` for all records.
    static func batch(
        after last: Int64, where condition: String? = nil, limit: Int, _ db: any SQLConnection
    ) throws -> [(number: Int64, record: Self)] {
        let filter = condition.map { " AND \($0)" } ?? ""
        return try db.rows(
            "\(selection) WHERE number > ?1\(filter) ORDER BY number LIMIT ?2", [.integer(last), SQLValue(limit)]
        ) { row in (number: try row.value("number"), record: try Self(row)) }
    }

    /// Number of records that ``forEach(_:_:)`` reads at once.
    private static var batchSize: Int { 1_000 }

    /// Calls a closure with each record in the order of their numbers, inside the transaction of the caller.
    ///
    /// - Parameters:
    ///   - db: the connection of the caller's transaction.
    ///   - condition: a further condition; `nil` for all records.
    ///   - body: is called with the record and its row number.
    static func forEach(
        _ db: any SQLConnection, where condition: String? = nil,
        _ body: (_ record: Self, _ number: Int64) throws -> Void
    ) throws {
        var last: Int64 = 0
        while true {
            let batch = try batch(after: last, where: condition, limit: batchSize, db)
            for entry in batch { try body(entry.record, entry.number) }
            guard let end = batch.last?.number else { return }
            last = end
        }
    }

    /// Reads the details of a row.
    ///
    /// - Parameters:
    ///   - shown: what people see; `nil` if the other columns tell.
    ///   - file: what the file says; `nil` if that is the same.
    mutating func takeDetails(shown: String?, ofFile file: String?) {
        let columns = columnDetails
        fileDetails = file.map(ItemDetails.init(stored:)) ?? columns
        guard let shown else { return show(columns) }
        // A server of the version before may have changed the other columns, where genres are one text.
        let stored = ItemDetails(stored: shown)
        var details = columns.over(stored)
        if let genres = stored.texts(.genres), columns.texts(.genres) == [genres.joined(separator: ", ")] {
            details[.genres] = .texts(genres)
        }
        show(details)
    }

    /// The column of details, which is only stored if the other columns do not tell them: most titles have a name only.
    func storedDetails(_ details: ItemDetails) -> SQLValue {
        details == columnDetails ? .null : .text(details.stored)
    }

    /// The text as it is stored in the full-text table.
    var indexedText: String { FullTextQuery.indexed(SearchText(searchText).folded) }

    /// The pieces as they are stored in their full-text table.
    private var indexedPieces: String { FullTextPieces.indexed(SearchText(pieceText).folded) }

    func addPieces(number: Int64, _ db: any SQLConnection) throws {
        try db.execute(
            "INSERT INTO \(Self.pieceTableName)(rowid, text) VALUES (?1, ?2)", .integer(number), .text(indexedPieces))
    }

    func updatePieces(number: Int64, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE \(Self.pieceTableName) SET text = ?1 WHERE rowid = ?2 AND text <> ?1", .text(indexedPieces),
            .integer(number))
    }

    /// Makes the pieces of all records.
    static func rebuildPieces(_ db: any SQLConnection) throws {
        try db.execute("DELETE FROM \(pieceTableName)")
        try forEach(db) { record, number in try record.addPieces(number: number, db) }
    }

    /// Inserts the record with its words.
    func insert(_ db: any SQLConnection) throws {
        let number = try db.insertNumbered(values, into: Self.table)
        try db.execute(
            "INSERT INTO \(Self.searchTableName)(rowid, text) VALUES (?1, ?2)", .integer(number), .text(indexedText))
        try addPieces(number: number, db)
        try FormerName.claim(file, in: Self.tableName, db)
        try addToLists(number: number, db)
    }

    /// Replaces the row with this number.
    func update(number: Int64, _ db: any SQLConnection) throws {
        let values = values
        let assignments = values.enumerated().map { "\($1.key) = ?\($0 + 1)" }.joined(separator: ", ")
        try db.execute(
            "UPDATE \(Self.tableName) SET \(assignments) WHERE number = ?\(values.count + 1)",
            values.map(\.value) + [.integer(number)])
        // Most updates report a job's progress, and updating the search index costs as much as the rest.
        try db.execute(
            "UPDATE \(Self.searchTableName) SET text = ?1 WHERE rowid = ?2 AND text <> ?1", .text(indexedText),
            .integer(number))
        try updatePieces(number: number, db)
        try updateLists(number: number, db)
    }
}
