/// A part of a list, with a cursor for the next part.
package struct ListPage<Item: Sendable>: Sendable {
    /// The items of the page, in the order of the list.
    package var items: [Item]
    /// Opaque cursor of the next page; `nil` at the end of the list.
    package var next: String?

    package init(items: [Item], next: String?) { (self.items, self.next) = (items, next) }

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

    package static var maximumSize: Int { ListLimits.maximumSize }

    /// A page size within its limits.
    package static func size(_ requested: Int?) -> Int {
        min(max(requested ?? ListLimits.defaultSize, 1), ListLimits.maximumSize)
    }
}
