import Database
import MediaCore

/// The name that a user types to log in: a username or an e-mail address, whose form is checked before any look-up.
struct LogInName: Sendable, Hashable {
    /// The column that holds the key.
    let column: String
    let key: String

    /// - Throws: `Refusal` if the text has an `@` and is not an e-mail address, or is not a username.
    init(_ text: String) throws(Refusal) {
        if text.contains("@") {
            (column, key) = ("emailKey", try EmailAddress(text).key)
        } else {
            (column, key) = ("usernameKey", try Username(text).key)
        }
    }
}
