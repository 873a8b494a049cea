import Catalogue
import HTTPEndpoints

/// A visitor's choices for a list, which the addresses of its links keep.
struct ListChoice {
    /// The values of `sort` with their names.
    var orders: [(value: String, name: String)]
    /// The order of a list without `sort`.
    var usualOrder: String
    /// One of the orders.
    var order: String
    /// Further parts of the query, such as the genre.
    var filters: [(name: String, value: String)] = []

    /// The orders of lists of everything in the library.
    static func library(_ order: RecordOrder, _ text: SiteText) -> ListChoice {
        let orders: [RecordOrder] = [.title, .newest, .duration, .longest]
        return ListChoice(
            orders: orders.map { ($0.rawValue, text.order($0)) }, usualOrder: RecordOrder.title.rawValue,
            order: order.rawValue)
    }

    /// The value of `sort` in an address; `nil` for the usual order.
    func sorting(_ order: String) -> String? { order == usualOrder ? nil : order }
}
