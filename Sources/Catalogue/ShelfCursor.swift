import Database

/// The end of a page of a shelf: what the last title is ordered by, and its row number.
struct ShelfCursor: Equatable {
    var order: ShelfOrder
    /// Whether the page was read by walking the shelf; a search has two ways, whose orders are not the same.
    var isWalk: Bool
    var keys: [SQLValue]
    var number: Int64

    private static let version = "s1"

    /// The cursor as clients get it.
    var text: String {
        let keys = keys.map { key in
            switch key {
            case .integer(let number): "\(number)"
            case .text(let text): text
            default: ""
            }
        }
        let fields = [Self.version, order.rawValue, isWalk ? "w" : "f", "\(number)"] + keys
        return CursorText.encoded(fields)
    }

    init(order: ShelfOrder, isWalk: Bool, keys: [SQLValue], number: Int64) {
        (self.order, self.isWalk, self.keys, self.number) = (order, isWalk, keys, number)
    }

    /// - Throws: ``CatalogueError`` if the text is not a cursor of a list in that order.
    init(parsing text: String, order: ShelfOrder) throws(CatalogueError) {
        guard let fields = CursorText.decoded(text), fields.count == 4 + order.columns.count,
            fields[0] == Self.version, fields[1] == order.rawValue, ["w", "f"].contains(fields[2]),
            let number = Int64(fields[3])
        else { throw CursorText.invalid }
        var keys: [SQLValue] = []
        for (field, column) in zip(fields.dropFirst(4), order.columns) {
            if column.kind == .text {
                keys.append(.text(field))
            } else {
                guard let key = Int64(field) else { throw CursorText.invalid }
                keys.append(.integer(key))
            }
        }
        self.init(order: order, isWalk: fields[2] == "w", keys: keys, number: number)
    }
}
