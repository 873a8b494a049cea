import Database
import MediaCore

/// The end of a page of a shelf: what the last title is ordered by, and its row number.
struct ShelfCursor: Equatable {
    var order: ShelfOrder
    /// Whether the page was read by walking the shelf; a search has two ways, whose orders are not the same.
    var isWalk: Bool
    var keys: [SQLValue]
    var number: Int64

    private static func list(_ order: ShelfOrder) -> String { "shelf.\(order.rawValue)" }
    private static let walked = "w"
    private static let found = "f"

    /// The cursor as clients get it.
    var text: String {
        let keys = keys.map { key in
            switch key {
            case .integer(let number): "\(number)"
            case .text(let text): text
            default: ""
            }
        }
        return ListCursor(Self.list(order), [isWalk ? Self.walked : Self.found, "\(number)"] + keys).text
    }

    init(order: ShelfOrder, isWalk: Bool, keys: [SQLValue], number: Int64) {
        (self.order, self.isWalk, self.keys, self.number) = (order, isWalk, keys, number)
    }

    /// - Throws: `Refusal` if the text is not a cursor of a list in that order.
    init(parsing text: String, order: ShelfOrder) throws(Refusal) {
        let place = try ListCursor(parsing: text, of: Self.list(order), keyCount: 2 + order.columns.count)
        guard [Self.walked, Self.found].contains(place.keys[0]) else { throw .invalidCursor }
        var keys: [SQLValue] = []
        for (index, column) in order.columns.enumerated() {
            keys.append(column.kind == .text ? .text(place.keys[index + 2]) : .integer(try place.number(index + 2)))
        }
        self.init(order: order, isWalk: place.keys[0] == Self.walked, keys: keys, number: try place.number(1))
    }
}
