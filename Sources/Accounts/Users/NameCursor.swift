import Database
import MediaCore

/// The end of a page of accounts in the order of usernames. Cursors have ASCII letters and digits only, which usernames
/// do not.
package enum NameCursor {
    /// The cursor after a username as clients get it.
    package static func text(_ username: String) -> String { CaselessKey(username).text.utf8.hexadecimalDigits }

    /// The key of the username; `nil` for what is no cursor.
    package static func key(parsing text: String) -> String? {
        guard let bytes = [UInt8](hexadecimalDigits: text), !bytes.isEmpty else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
