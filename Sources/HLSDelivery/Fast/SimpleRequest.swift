import Glibc
import HTTPTypes

/// Parses a GET request without a body that lies in one buffer, as almost all requests for media do.
///
/// The grammar is a strict subset of RFC 9112: whatever is unusual, even if it is allowed, is left to the decoder, so
/// that there are no two opinions about where a request ends.
enum SimpleRequest {
    /// Limit on the size of a request; players' requests have a few hundred bytes. It is kept until the next one, so
    /// it is small.
    static let maximumByteCount = 2_048
    /// Limit on the number of header fields.
    static let maximumFieldCount = 32

    /// Returns the request if `bytes` are exactly one request of this kind; otherwise `nil`.
    ///
    /// The request has the scheme `http`, the authority of its Host field, and all other fields in their order.
    static func parse(_ bytes: UnsafeRawBufferPointer) -> HTTPRequest? {
        guard bytes.count <= maximumByteCount else { return nil }
        var cursor = Cursor(bytes: bytes)
        guard cursor.skip("GET "),
            let target = cursor.text(upTo: UInt8(ascii: " "), where: { $0 > 0x20 && $0 < 0x7F }),
            target.utf8.first == UInt8(ascii: "/"), cursor.skip(" HTTP/1.1\r\n")
        else { return nil }
        var authority: String?
        var fields = HTTPFields()
        var count = 0
        while !cursor.skip("\r\n") {
            count += 1
            guard count <= maximumFieldCount, let name = cursor.fieldName(), let value = cursor.fieldValue() else {
                return nil
            }
            switch name {
            case hostName:
                guard authority == nil, !value.isEmpty else { return nil }
                authority = value
            // The first four may announce a body; the others ask for something that only the decoder's side does.
            case .contentLength, .transferEncoding, .contentType, .contentEncoding, .expect, .upgrade, .trailer:
                return nil
            default: fields.append(HTTPField(name: name, value: value))
            }
        }
        guard let authority, cursor.index == bytes.count else { return nil }
        return HTTPRequest(method: .get, scheme: "http", authority: authority, path: target, headerFields: fields)
    }

    /// The name of a field that ``HTTPRequest`` has as its authority.
    private static let hostName = HTTPField.Name("Host")

    /// The names of fields that players and browsers send, which need not be validated and copied for each request.
    private static let usualNames: [(bytes: [UInt8], name: HTTPField.Name)] = {
        let others = [
            "DNT", "Icy-MetaData", "Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site", "X-Playback-Session-Id",
            "X-Forwarded-For", "X-Real-IP",
        ]
        let names: [HTTPField.Name] =
            [
                .userAgent, .accept, .acceptEncoding, .acceptLanguage, .connection, .range, .ifRange,
                .ifNoneMatch, .ifModifiedSince, .referer, .origin, .cookie, .authorization, .cacheControl, .priority,
            ] + others.compactMap { HTTPField.Name($0) }
        return ([hostName].compactMap(\.self) + names).map { (Array($0.canonicalName.utf8), $0) }
    }()

    private struct Cursor {
        let bytes: UnsafeRawBufferPointer
        var index = 0

        /// Skips `text` if it comes next.
        mutating func skip(_ text: StaticString) -> Bool {
            guard let base = bytes.baseAddress, bytes.count - index >= text.utf8CodeUnitCount,
                memcmp(base + index, text.utf8Start, text.utf8CodeUnitCount) == 0
            else { return false }
            index += text.utf8CodeUnitCount
            return true
        }

        /// Returns the ASCII text before `end`, at which the cursor is then; `nil` if it is empty, or if a byte is not
        /// allowed in it.
        mutating func text(upTo end: UInt8, where isAllowed: (UInt8) -> Bool) -> String? {
            range(upTo: end, where: isAllowed).map { String(decoding: bytes[$0], as: UTF8.self) }
        }

        private mutating func range(upTo end: UInt8, where isAllowed: (UInt8) -> Bool) -> Range<Int>? {
            let start = index
            while index < bytes.count, bytes[index] != end {
                guard isAllowed(bytes[index]) else { return nil }
                index += 1
            }
            return index < bytes.count && index > start ? start..<index : nil
        }

        /// Reads a field's name and the colon after it.
        mutating func fieldName() -> HTTPField.Name? {
            guard let range = range(upTo: UInt8(ascii: ":"), where: Self.isToken) else { return nil }
            index += 1
            let usual = SimpleRequest.usualNames.firstIndex { usual in
                usual.bytes.count == range.count
                    && zip(bytes[range], usual.bytes).allSatisfy { Self.lowercased($0) == $1 }
            }
            if let usual { return SimpleRequest.usualNames[usual].name }
            return HTTPField.Name(String(decoding: bytes[range], as: UTF8.self))
        }

        /// Reads a field's value and the end of the line. A value that is not ASCII, or is followed by white space, is
        /// not understood.
        mutating func fieldValue() -> String? {
            while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
            let start = index
            while index < bytes.count, Self.isInValue(bytes[index]) { index += 1 }
            let range = start..<index
            if let last = range.last, Self.isSpace(bytes[last]) { return nil }
            return skip("\r\n") ? String(decoding: bytes[range], as: UTF8.self) : nil
        }

        private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        private static func isInValue(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F || byte == 0x09 }

        private static func lowercased(_ byte: UInt8) -> UInt8 {
            byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
        }

        /// RFC 9110 §5.6.2: a character of a token.
        private static func isToken(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
                UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
                true
            default: false
            }
        }
    }
}
