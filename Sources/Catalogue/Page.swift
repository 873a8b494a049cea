/// Part of a list, with a cursor for the next part.
package struct Page<Item: Sendable>: Sendable {
    package var items: [Item]
    /// Opaque cursor of the next page; `nil` at the end of the list.
    package var next: String?

    package init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }
}

/// A request that the catalogue cannot carry out, and the reason.
package struct CatalogueError: Error, Hashable, CustomStringConvertible {
    /// The kinds of error.
    package enum Code: Hashable, Sendable {
        /// The cursor was not issued by this list.
        case invalidCursor
        /// The database has a newer version, is damaged, or is not a database.
        case unusableDatabase
    }

    package var code: Code
    package var reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { reason }
}
