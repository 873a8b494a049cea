import MediaCore

/// Part of a list of accounts, sessions or audit entries, with a cursor for the next part.
package struct AccountsPage<Item: Sendable>: Sendable {
    /// The items of the page, in the order of the list.
    package var items: [Item]
    /// Opaque cursor of the next page; `nil` at the end of the list.
    package var next: String?

    package static var maximumSize: Int { ListPage.maximumSize }

    /// Makes a page of rows that were read with a limit of one more than the page has.
    ///
    /// - Parameters:
    ///   - rows: the rows, in the order of the list.
    ///   - size: number of items of the page.
    ///   - cursor: the cursor of an item.
    package init(_ rows: [Item], size: Int, cursor: (Item) -> String) {
        items = Array(rows.prefix(size))
        next = rows.count > size ? items.last.map(cursor) : nil
    }

    /// A page size within its limits.
    package static func size(_ requested: Int?) -> Int { min(max(requested ?? ListPage.defaultSize, 1), maximumSize) }

    /// The number in the cursor of a list that is in the order of numbers.
    ///
    /// - Throws: ``AccountsError`` with `invalidCursor`.
    package static func number(parsing cursor: String) throws(AccountsError) -> Int64 {
        guard let number = Int64(cursor), number > 0 else {
            throw AccountsError(.invalidCursor, "the cursor is not the `next` value of a page of this list")
        }
        return number
    }
}
