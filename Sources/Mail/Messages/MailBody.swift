import Foundation

/// The text of a mail in the shorter one of two encodings (RFC 2045 §6.7 and §6.8). Both are ASCII with short lines,
/// which every server passes on as they are.
struct MailBody {
    /// The value of `Content-Transfer-Encoding`.
    let encoding: String
    /// The encoded text, whose lines end in CR LF; the last one, too.
    let bytes: [UInt8]

    /// RFC 2045 §6.7 (5) and §6.8
    private static let lineCharacterCount = 76

    /// - Parameter text: a text whose lines end in `\n`.
    init(_ text: String) {
        let quoted = Self.quotedPrintable(text)
        let base64 = Self.base64(text)
        if base64.count < quoted.count {
            (encoding, bytes) = ("base64", base64)
        } else {
            (encoding, bytes) = ("quoted-printable", quoted)
        }
    }

    private static let lineEnd: [UInt8] = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func lines(_ text: String) -> [Substring.UTF8View.SubSequence] {
        var lines = text[...].utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    static func quotedPrintable(_ text: String) -> [UInt8] {
        var result: [UInt8] = []
        for line in lines(text) {
            var column = 0
            var index = line.startIndex
            while index < line.endIndex {
                let byte = line[index]
                let next = line.index(after: index)
                let isLast = next == line.endIndex
                let encoded = isLiteral(byte, isLast: isLast) ? [byte] : escaped(byte)
                // A line that goes on ends in `=`, which counts.
                if column + encoded.count > lineCharacterCount - (isLast ? 0 : 1) {
                    result += [UInt8(ascii: "=")] + lineEnd
                    column = 0
                }
                result += encoded
                column += encoded.count
                index = next
            }
            result += lineEnd
        }
        return result
    }

    private static func isLiteral(_ byte: UInt8, isLast: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "="): false
        case 0x21...0x7E: true
        // White space at the end of a line may get lost.
        case UInt8(ascii: " "), UInt8(ascii: "\t"): !isLast
        default: false
        }
    }

    private static func escaped(_ byte: UInt8) -> [UInt8] {
        [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
    }

    static func base64(_ text: String) -> [UInt8] {
        base64(lines(text).flatMap { Array($0) + lineEnd })
    }

    static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let encoded = Array(Data(bytes).base64EncodedString().utf8)
        return stride(from: 0, to: encoded.count, by: lineCharacterCount).flatMap { start in
            Array(encoded[start..<min(start + lineCharacterCount, encoded.count)]) + lineEnd
        }
    }
}
