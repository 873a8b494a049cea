import Foundation

/// An HTTP response as received, with its content encoding.
struct WebReply: Sendable {
    var status: Int
    /// The header fields, keyed by lower-case name.
    var headers: [String: String]
    var body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }

    struct Malformed: Error {
        var head: String
    }

    /// - Parameter head: the status line and the header lines.
    init(head: String, body: [UInt8]) throws {
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, let status = Int(words[1]) else { throw Malformed(head: head) }
        self.status = status
        headers = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                in: .whitespaces)
        }
        self.body = body
        if headers["transfer-encoding"]?.lowercased() == "chunked" { self.body = Self.unchunked(body) }
    }

    /// Decodes the chunked transfer coding (RFC 9112 §7.1).
    private static func unchunked(_ bytes: [UInt8]) -> [UInt8] {
        var (result, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
        while let end = rest.firstRange(of: [13, 10]) {
            let digits = rest[..<end.lowerBound].prefix { $0 != UInt8(ascii: ";") }
            guard let count = Int(String(decoding: digits, as: UTF8.self), radix: 16), count > 0 else { break }
            rest = rest[end.upperBound...]
            result += rest.prefix(count)
            rest = rest.dropFirst(count + 2)
        }
        return result
    }

    var json: [String: Any] {
        get throws { try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:] }
    }
}
