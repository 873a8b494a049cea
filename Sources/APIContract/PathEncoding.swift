import MediaCore

/// Percent-encoding of paths (RFC 3986 §2.1).
package enum PathEncoding {
    /// The target with every unreserved character of its path decoded and the other encodings in upper case. The query
    /// is unchanged.
    ///
    /// - Returns: `nil` if a `%` is not followed by two hexadecimal digits.
    package static func normalized(target: String) -> String? {
        let bytes = Array(target.utf8)
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < end {
            guard bytes[index] == UInt8(ascii: "%") else {
                result.append(bytes[index])
                index += 1
                continue
            }
            guard index + 2 < end, let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2]) else {
                return nil
            }
            let value = high << 4 | low
            if URIEncoding.isUnreserved(value) {
                result.append(value)
            } else {
                result += [UInt8(ascii: "%")] + bytes[(index + 1)...(index + 2)].map(upperCase)
            }
            index += 3
        }
        return String(decoding: result + bytes[end...], as: UTF8.self)
    }

    /// Percent-encodes a string as one component of a path.
    package static func component(_ text: String) -> String { URIEncoding.encoded(text) }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func upperCase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) ? byte - 32 : byte
    }
}
