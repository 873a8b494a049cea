/// Percent-encoding as Signature Version 4 prescribes it: everything but letters, digits, `-`, `.`, `_` and `~`, with
/// upper-case hexadecimal digits.
enum URIEncoding {
    /// - Parameter keepsSlashes: Whether slashes stay as they are, as in the path of a key.
    static func encoded(_ text: String, keepsSlashes: Bool = false) -> String {
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

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
