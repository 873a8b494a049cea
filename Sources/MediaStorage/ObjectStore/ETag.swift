/// ETags as object stores use them (RFC 9110 §8.8.3).
enum ETag {
    private static let maximumByteCount = 256

    /// A strong ETag without its quotes; others as they are. `nil` for an empty, overlong or unprintable one.
    static func unquoted(_ text: String) -> String? {
        let isQuoted = text.utf8.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
        let value = isQuoted ? String(text.dropFirst().dropLast()) : text
        let isUsable =
            (1...maximumByteCount).contains(value.utf8.count) && value.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isUsable ? value : nil
    }

    /// The value for If-Match; `nil` for a weak ETag, which never matches.
    static func condition(_ version: String) -> String? { version.hasPrefix("W/") ? nil : "\"\(version)\"" }

    /// Returns whether a version is the MD5 of a content. It is not for objects of several parts, and with some
    /// encryptions.
    static func isMD5(_ version: String) -> Bool {
        version.utf8.count == 32 && version.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    }
}
