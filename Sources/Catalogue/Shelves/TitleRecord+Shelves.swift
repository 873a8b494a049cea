import Database
import LibraryDetails

extension TitleRecord {
    /// Name of the full-text table with the pieces of words, which find the middle of a word.
    static let pieceTableName = "titlePieces"

    private var pieces: String {
        let texts =
            [title, file, details.text(.series) ?? ""] + (details.texts(.cast) ?? []) + (details.texts(.genres) ?? [])
            + [details.text(.description) ?? ""]
        return FullTextPieces.indexed(SearchText(texts.joined(separator: " ")).folded)
    }

    func addToLists(number: Int64, _ db: any SQLConnection) throws {
        try addPieces(number: number, db)
        try ShelfRows.place(self, number: number, db)
        try CollectionRows.place(self, collectionEntries, number: number, db)
    }

    private func addPieces(number: Int64, _ db: any SQLConnection) throws {
        try db.execute(
            "INSERT INTO \(Self.pieceTableName)(rowid, text) VALUES (?1, ?2)", .integer(number), .text(pieces))
    }

    func updateLists(number: Int64, _ db: any SQLConnection) throws {
        try updatePieces(number: number, db)
        try ShelfRows.place(self, number: number, db)
        try CollectionRows.place(self, collectionEntries, number: number, db)
    }

    private func updatePieces(number: Int64, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE \(Self.pieceTableName) SET text = ?1 WHERE rowid = ?2 AND text <> ?1", .text(pieces),
            .integer(number))
    }

    static func removeFromLists(number: Int64, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM \(pieceTableName) WHERE rowid = ?1", .integer(number))
        try ShelfRows.remove(number, db)
        try CollectionRows.remove(TitleRecord.self, number, db)
    }

    /// Fills the shelves and the table of pieces from the titles and their listings.
    static func rebuildLists(_ db: any SQLConnection) throws {
        try db.execute("DELETE FROM \(pieceTableName)")
        try db.execute("DELETE FROM titleShelf")
        try forEach(db) { record, number in
            try record.addPieces(number: number, db)
            try ShelfRows.place(record, number: number, db)
        }
    }

    /// Makes the pieces of all titles as this version does.
    static func refreshPieces(_ db: any SQLConnection) throws {
        try forEach(db) { record, number in try record.updatePieces(number: number, db) }
    }
}
