/// Part of a list, with a cursor for the next part.
package struct Page<Item: Sendable>: Sendable {
    /// The items of the page, in the order of the list.
    package var items: [Item]
    /// Opaque cursor of the next page; `nil` at the end of the list.
    package var next: String?

    package init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }
}
