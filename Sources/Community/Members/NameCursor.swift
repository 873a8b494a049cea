import Database
import MediaCore

/// The end of a page of members in the order of usernames. Cursors have ASCII letters and digits only, which usernames do
/// not.
enum NameCursor {
    /// The cursor behind a username as clients get it.
    static func text(_ username: String) -> String { CaselessKey(username).text.utf8.hexadecimalDigits }

    /// The key of the username.
    ///
    /// - Throws: ``CommunityError`` with `invalidCursor`.
    static func key(parsing text: String) throws(CommunityError) -> String {
        let digits = Array(text.utf8)
        guard !digits.isEmpty, digits.count.isMultiple(of: 2) else { throw .invalidCursor }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
                throw .invalidCursor
            }
            bytes.append(byte)
        }
        guard let key = String(validating: bytes, as: UTF8.self) else { throw .invalidCursor }
        return key
    }
}
