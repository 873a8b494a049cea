import Database

extension AudioTrackRecord {
    func addToLists(number: Int64, _ db: any SQLConnection) throws {
        try CollectionRows.place(self, collectionEntries, number: number, db)
    }

    func updateLists(number: Int64, _ db: any SQLConnection) throws {
        try CollectionRows.place(self, collectionEntries, number: number, db)
    }

    static func removeFromLists(number: Int64, _ db: any SQLConnection) throws {
        try CollectionRows.remove(AudioTrackRecord.self, number, db)
    }
}
