import Database

/// The end of a page: the key of its last item in the order of the list. With keyset paging, pages neither repeat nor
/// skip items when others are added or removed in between.
struct PageCursor: Equatable {
    var order: RecordOrder
    /// The key of the last item as text: a ``SortKey/text``, a row number or a duration.
    var key: String
    var id: String

    /// Version of the format. It changes with the meaning of the fields, so that an old cursor is rejected instead of
    /// misread.
    private static func version(_ order: RecordOrder) -> String { order == .title ? "1" : "1\(order.rawValue)" }

    init(order: RecordOrder = .title, key: String, id: String) {
        (self.order, self.key, self.id) = (order, key, id)
    }

    /// The key as a list compares it.
    var value: SQLValue { order.value(ofKey: key) ?? .null }

    /// Parses a cursor of a list in that order.
    ///
    /// - Throws: ``CatalogueError`` if the text was not made by ``text``.
    init(parsing text: String, order: RecordOrder = .title) throws(CatalogueError) {
        guard let fields = CursorText.decoded(text), fields.count == 3, fields[0] == Self.version(order),
            !fields[1].isEmpty, order.value(ofKey: fields[2]) != nil
        else { throw CursorText.invalid }
        (self.order, id, key) = (order, fields[1], fields[2])
    }

    /// The cursor as clients get it.
    var text: String { CursorText.encoded([Self.version(order), id, key]) }
}
