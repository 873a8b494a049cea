/// A name that stands in the address of media as it is: of a channel, title or track, a playlist, a rendition, or a
/// version.
///
/// It consists of unreserved characters (RFC 3986 §2.3), so that nobody on the way can read it in two ways, and is no
/// dot segment (§3.3). There is no other way to make one, so nobody need check it again.
package struct MediaName: Sendable, Hashable {
    package let text: String

    /// - Returns: `nil` for a text with any other character, an empty one, `.` and `..`.
    package init?(_ text: Substring) {
        guard Self.isName(text.utf8) else { return nil }
        self.text = String(text)
    }

    /// - Returns: `nil` for a text with any other character, an empty one, `.` and `..`.
    package init?(_ text: String) {
        guard Self.isName(text[...].utf8) else { return nil }
        self.text = text
    }

    private static func isName(_ bytes: Substring.UTF8View) -> Bool {
        var (count, dotCount) = (0, 0)
        for byte in bytes {
            guard URIEncoding.isUnreserved(byte) else { return false }
            count += 1
            if byte == UInt8(ascii: ".") { dotCount += 1 }
        }
        return count > dotCount || dotCount > 2
    }
}

extension MediaName: CustomStringConvertible {
    package var description: String { text }
}
