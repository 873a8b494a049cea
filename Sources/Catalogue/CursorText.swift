import MediaCore

/// Fields of a cursor as one text, in base64url without padding (RFC 4648 §5).
enum CursorText {
    /// Length limit of a cursor, which has room for a sort key and an ID in base64.
    static let maximumByteCount = 2_048

    /// - Parameter fields: texts without NUL.
    static func encoded(_ fields: [String]) -> String {
        Base64URL.text(fields.joined(separator: "\0").utf8)
    }

    /// The fields; `nil` if the text was not made by ``encoded(_:)``.
    static func decoded(_ text: String) -> [String]? {
        guard text.utf8.count <= maximumByteCount else { return nil }
        let plain = Base64URL.bytes(text).flatMap { String(validating: $0, as: UTF8.self) }
        return plain?.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
    }

    static var invalid: CatalogueError {
        CatalogueError(.invalidCursor, "the cursor is not the `next` value of a page of this list")
    }
}
