import Foundation

/// Where a page ended: the sort key of its last item. Keyset paging neither repeats nor skips an item when others come
/// and go between two pages.
struct PageCursor: Equatable {
    /// ``SortKey/text``
    var sortKey: String
    var id: String

    /// A sort key and an id, with room for base64.
    static let maximumByteCount = 2_048
    /// Changes with the meaning of what follows it, so that an old bookmark is refused and not misread.
    private static let version = "1"

    init(sortKey: String, id: String) {
        self.sortKey = sortKey
        self.id = id
    }

    /// - Throws: ``CatalogueError`` for text that is no cursor of ours.
    init(parsing text: String) throws(CatalogueError) {
        guard text.utf8.count <= Self.maximumByteCount, let plain = Self.decoded(text) else { throw Self.invalid }
        let fields = plain.split(separator: "\0", omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0] == Self.version, !fields[1].isEmpty else { throw Self.invalid }
        id = String(fields[1])
        sortKey = String(fields[2])
    }

    /// base64url without padding (RFC 4648 §5).
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
        CatalogueError(.invalidCursor, "the cursor is not one that a page of this list had as `next`")
    }
}
