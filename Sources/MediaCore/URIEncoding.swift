/// Percent-encoding of everything but unreserved characters (RFC 3986 §2), with upper-case hexadecimal digits, as
/// Signature Version 4 of object stores prescribes it as well.
package enum URIEncoding {
    /// Percent-encodes a text.
    ///
    /// - Parameters:
    ///   - text: The text, encoded as UTF-8.
    ///   - keepsSlashes: Whether slashes stay as they are, as in a path of several components.
    package static func encoded(_ text: String, keepsSlashes: Bool = false) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) || keepsSlashes && byte == UInt8(ascii: "/") {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Returns whether the byte is an unreserved character (RFC 3986 §2.3): a letter, a digit, `-`, `.`, `_` or `~`.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
