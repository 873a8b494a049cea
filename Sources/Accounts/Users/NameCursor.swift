import Database
import MediaCore

/// The end of a page of accounts in the order of usernames. Cursors have ASCII letters and digits only, which usernames do
/// not.
package enum NameCursor {
    /// The cursor behind a username as clients get it.
    package static func text(_ username: String) -> String { CaselessKey(username).text.utf8.hexadecimalDigits }

    /// The key of the username; `nil` for what is no cursor.
    package static func key(parsing text: String) -> String? {
        let digits = Array(text.utf8)
        guard !digits.isEmpty, digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
