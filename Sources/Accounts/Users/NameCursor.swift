import Database
package import MediaCore

/// The end of a page of accounts in the order of usernames.
package enum NameCursor {
    private static let list = "names"

    /// The cursor after a username as clients get it.
    package static func text(_ username: String) -> String { ListCursor(list, [CaselessKey(username).text]).text }

    /// The key of the username.
    ///
    /// - Throws: `Refusal` with `invalidCursor`.
    package static func key(parsing text: String) throws(Refusal) -> String {
        let key = try ListCursor(parsing: text, of: list, keyCount: 1).keys[0]
        guard !key.isEmpty else { throw .invalidCursor }
        return key
    }
}
