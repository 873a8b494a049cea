/// Some of a list, and where it goes on.
package struct Page<Item: Sendable>: Sendable {
    package var items: [Item]
    /// Opaque; `nil` at the end.
    package var next: String?

    package init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }
}

/// A request that the catalogue cannot carry out, and why.
package struct CatalogueError: Error, Hashable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// A cursor that no page had.
        case invalidCursor
        /// The database is of a newer version, or no database.
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
