import Database

extension LibraryRecord {
    /// The indexes of the lists of titles and tracks.
    static func orderIndexes(_ table: String) -> [SQLIndex] {
        [
            // The order of all lists; keyset paging uses this index. A search that finds many records walks it without
            // reading the rows that do not match.
            SQLIndex("\(table)_order", "sortKey", "id", including: "number"),
            // Lists of the newest, and the count of those that play.
            SQLIndex("\(table)_newest", "state", "number"),
            SQLIndex("\(table)_duplicateOf", "duplicateOf", where: "duplicateOf IS NOT NULL"),
            SQLIndex("\(table)_duration", "(\(RecordOrder.durationKey))", "id"),
        ]
    }
}
