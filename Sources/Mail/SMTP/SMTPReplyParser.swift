import NIOCore

/// Reads replies from the bytes of a connection.
struct SMTPReplyParser {
    /// RFC 5321 §4.5.3.1.5 has 512; some servers send more.
    static let maximumLineByteCount = 2_048
    /// Servers offer about 15 extensions.
    static let maximumLineCount = 100

    private var lines: [String] = []
    private var code: Int?

    /// Reads one reply; `nil` means that more bytes are needed.
    ///
    /// - Throws: ``SMTPError/Code``
    mutating func next(_ buffer: inout ByteBuffer) throws(SMTPError.Code) -> SMTPReply? {
        while let line = try Self.line(&buffer) {
            guard let (number, isLast, text) = Self.parse(line), code == nil || code == number else {
                throw .malformedReply
            }
            guard lines.count < Self.maximumLineCount else { throw .replyTooLong }
            lines.append(text)
            code = number
            guard isLast else { continue }
            defer { (lines, code) = ([], nil) }
            return SMTPReply(code: number, lines: lines)
        }
        return nil
    }

    private static func line(_ buffer: inout ByteBuffer) throws(SMTPError.Code) -> ByteBufferView? {
        let bytes = buffer.readableBytesView
        guard let end = bytes.prefix(maximumLineByteCount).firstIndex(of: UInt8(ascii: "\n")) else {
            if bytes.count >= maximumLineByteCount { throw .replyTooLong }
            return nil
        }
        let line = bytes[..<end]
        buffer.moveReaderIndex(forwardBy: line.count + 1)
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    /// `250-TEXT`, `250 TEXT` or `250` (RFC 5321 §4.2).
    private static func parse(_ line: ByteBufferView) -> (code: Int, isLast: Bool, text: String)? {
        let digits = line.prefix(3)
        guard digits.count == 3, digits.allSatisfy(SMTPReply.isDigit) else { return nil }
        let code = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard (200..<600).contains(code) else { return nil }
        let rest = line.dropFirst(3)
        guard let separator = rest.first else { return (code, true, "") }
        guard separator == UInt8(ascii: " ") || separator == UInt8(ascii: "-") else { return nil }
        return (code, separator == UInt8(ascii: " "), String(decoding: rest.dropFirst(), as: UTF8.self))
    }
}
