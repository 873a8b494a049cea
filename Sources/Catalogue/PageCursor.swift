import Foundation

/// The end of a page: the sort key of its last item. With keyset paging, pages neither repeat nor skip items when
/// others are added or removed in between.
struct PageCursor: Equatable {
    /// Sort key of the last item; see ``SortKey/text``.
    var sortKey: String
    var id: String

    /// Length limit of a cursor, which has room for a sort key and an ID in base64.
    static let maximumByteCount = 2_048
    /// Version of the format. It changes with the meaning of the fields, so that an old cursor is rejected instead of
    /// misread.
    private static let version = "1"

    init(sortKey: String, id: String) {
        self.sortKey = sortKey
        self.id = id
    }

    /// Parses a cursor.
    ///
    /// - Throws: ``CatalogueError`` if the text was not made by ``text``.
    init(parsing text: String) throws(CatalogueError) {
        guard text.utf8.count <= Self.maximumByteCount, let plain = Self.decoded(text) else { throw Self.invalid }
        let fields = plain.split(separator: "\0", omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0] == Self.version, !fields[1].isEmpty else { throw Self.invalid }
        id = String(fields[1])
        sortKey = String(fields[2])
    }

    /// The cursor in base64url without padding (RFC 4648 §5).
    var text: String {
        Data("\(Self.version)\0\(id)\0\(sortKey)".utf8).base64EncodedString().replacing("+", with: "-")
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
