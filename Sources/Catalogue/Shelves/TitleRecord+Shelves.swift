import Database
import LibraryDetails

extension TitleRecord {
    static let pieceTableName = "titlePieces"

    var pieceText: String {
        let texts =
            [title, file, details.text(.series) ?? ""] + (details.texts(.cast) ?? []) + (details.texts(.genres) ?? [])
            + [.artist, .album, .description].map { details.text($0) ?? "" }
        return texts.joined(separator: " ")
    }

    func addToLists(number: Int64, _ db: any SQLConnection) throws { try updateLists(number: number, db) }

    func updateLists(number: Int64, _ db: any SQLConnection) throws {
        var title = self
        title.kind = try TitleKindRows.refresh(number, db)
        try ShelfRows.place(title, number: number, db)
        try CollectionRows.place(title, title.collectionEntries, number: number, db)
    }

    static func removeFromLists(number: Int64, _ db: any SQLConnection) throws {
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
