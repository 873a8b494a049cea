import Foundation

/// Where a page ended: the sort key of its last item. Keyset paging neither repeats nor skips an item when others come
/// and go between two pages.
struct PageCursor: Equatable {
    var title: String
    var id: String

    /// A title and an id, with room for base64.
    static let maximumByteCount = 8_192

    init(title: String, id: String) {
        self.title = title
        self.id = id
    }

    /// - Throws: ``CatalogueError`` for text that is no cursor of ours.
    init(parsing text: String) throws(CatalogueError) {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
        guard text.utf8.count <= Self.maximumByteCount, let data = Data(base64Encoded: base64 + padding),
            let plain = String(data: data, encoding: .utf8), let separator = plain.firstIndex(of: "\0")
        else {
            throw CatalogueError(.invalidCursor, "the cursor is not one that a page of this list had as `next`")
        }
        id = String(plain[..<separator])
        title = String(plain[plain.index(after: separator)...])
    }

    /// base64url without padding (RFC 4648 §5).
    var text: String {
        Data("\(id)\0\(title)".utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}
