/// A record that can be found by its words.
protocol SearchableRecord {
    /// Name of an FTS5 table with one column, whose rows have the record's row number.
    static var searchTableName: String { get }
    var searchText: String { get }
    /// ID for records whose title cannot be turned into a slug.
    static var fallbackID: String { get }
}
