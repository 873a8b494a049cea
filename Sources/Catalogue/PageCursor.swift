import Database
import MediaCore

/// The end of a page: the key of its last item in the order of the list.
struct PageCursor: Equatable {
    var order: RecordOrder
    /// The key of the last item as text: a ``SortKey/text``, a row number or a duration.
    var key: String
    var id: String

    private static func list(_ order: RecordOrder) -> String { "records.\(order.rawValue)" }

    init(order: RecordOrder = .title, key: String, id: String) {
        (self.order, self.key, self.id) = (order, key, id)
    }

    /// The key as a list compares it.
    var value: SQLValue { order.value(ofKey: key) ?? .null }

    /// Parses a cursor of a list in that order.
    ///
    /// - Throws: `Refusal` if the text was not made by ``text``.
    init(parsing text: String, order: RecordOrder = .title) throws(Refusal) {
        let place = try ListCursor(parsing: text, of: Self.list(order), keyCount: 2)
        guard !place.keys[0].isEmpty, order.value(ofKey: place.keys[1]) != nil else { throw .invalidCursor }
        (self.order, id, key) = (order, place.keys[0], place.keys[1])
    }

    /// The cursor as clients get it.
    var text: String { ListCursor(Self.list(order), [id, key]).text }
}
