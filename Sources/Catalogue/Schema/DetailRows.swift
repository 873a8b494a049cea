import Database
import LibraryDetails

/// Operators' choices for titles and tracks, and the details from the notes beside their files. Each function runs
/// inside the transaction of its caller. Like audiences, the rows belong to the ID: they stay when the file is renamed
/// or replaced, and go when the title or track is deleted.
enum DetailRows {
    static let table = SQLTable(
        "itemDetails",
        [
            .text("section"), .text("subject"), .text("source"), .text("details"), .text("mark", .optional),
        ], key: ["section", "subject", "source"])

    /// The details of a record by their sources.
    static func layers(of record: some LibraryRecord, _ db: any SQLConnection) throws -> DetailLayers {
        var layers = DetailLayers(file: record.fileDetails)
        let rows = try db.rows(
            "SELECT source, details FROM itemDetails WHERE section = ?1 AND subject = ?2",
            [.text(type(of: record).tableName), .text(record.id)]
        ) { row in (source: try row.value("source") as String, details: ItemDetails(stored: try row.value("details"))) }
        for row in rows {
            switch DetailSource(rawValue: row.source) {
            case .operator: layers.chosen = row.details
            case .notes: layers.noted = row.details
            case .file, nil: break
            }
        }
        return layers
    }

    /// The record with the details that people are to see. Its row is locked by the caller, so that a choice that is
    /// made at the same time is not lost.
    static func resolved<Record: LibraryRecord>(_ record: Record, _ db: any SQLConnection) throws -> Record {
        var record = record
        record.show(try layers(of: record, db).effective)
        return record
    }

    /// Stores what one source says; nothing is stored if it says nothing and has no mark.
    ///
    /// - Parameter mark: tells whether the notes have changed since they were read; `nil` for an operator's choice.
    static func set(
        _ details: ItemDetails, from source: DetailSource, mark: String? = nil, in section: String, of subject: String,
        _ db: any SQLConnection
    ) throws {
        guard !details.isEmpty || mark != nil else {
            try db.execute(
                "DELETE FROM itemDetails WHERE section = ?1 AND subject = ?2 AND source = ?3", .text(section),
                .text(subject), .text(source.rawValue))
            return
        }
        try db.execute(
            table.upsert, .text(section), .text(subject), .text(source.rawValue), .text(details.stored),
            SQLValue(mark))
    }

    /// Removes what belongs to a title or track that is deleted, or whose ID is given to something new.
    static func remove(from section: String, _ subject: String, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM itemDetails WHERE section = ?1 AND subject = ?2", .text(section), .text(subject))
    }
}
