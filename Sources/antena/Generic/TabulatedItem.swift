import APIClient
import APIContract

/// A thing whose table has declared columns.
protocol TabulatedItem: ListedItem {
    /// - Parameter nothing: the text instead of a table without rows.
    static func table(_ items: [Self], nothing: String) -> String
}

extension APIObject: TabulatedItem {
    static func table(_ items: [APIObject<Fields>], nothing: String) -> String {
        ObjectTable.text(items, nothing: nothing)
    }
}
