import Database
import Foundation

/// The end of a page: the key of its last item in the order of the list. With keyset paging, pages neither repeat nor skip items when
/// others are added or removed in between.
struct PageCursor: Equatable {
    var order: RecordOrder
    /// The key of the last item as text: a ``SortKey/text``, a row number or a duration.
    var key: String
    var id: String

    /// Length limit of a cursor, which has room for a sort key and an ID in base64.
    static let maximumByteCount = 2_048
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
        guard text.utf8.count <= Self.maximumByteCount, let plain = Self.decoded(text) else { throw Self.invalid }
        let fields = plain.split(separator: "\0", omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0] == Self.version(order), !fields[1].isEmpty,
            order.value(ofKey: String(fields[2])) != nil
        else { throw Self.invalid }
        self.order = order
        id = String(fields[1])
        key = String(fields[2])
    }

    /// The cursor in base64url without padding (RFC 4648 §5).
    var text: String {
        Data("\(Self.version(order))\0\(id)\0\(key)".utf8).base64EncodedString().replacing("+", with: "-")
            .replacing("/", with: "_").replacing("=", with: "")
    }

    private static func decoded(_ text: String) -> String? {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
        return Data(base64Encoded: base64 + padding).flatMap { String(data: $0, encoding: .utf8) }
    }

    private static var invalid: CatalogueError {
        CatalogueError(.invalidCursor, "the cursor is not the `next` value of a page of this list")
    }
}
