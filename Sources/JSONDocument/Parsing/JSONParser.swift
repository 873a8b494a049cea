/// A JSON parser (RFC 8259) that keeps line and column of every value, which Foundation's does not.
///
/// Strict: no comments, no trailing commas, no duplicate names, nothing after the value.
package struct JSONParser {
    /// Limit of the text. A configuration is a few kilobytes; the limit keeps a wrong path (a video, say) from being
    /// parsed.
    package static let maximumByteCount = 1 << 20
    /// Limit of nesting, because each level uses a stack frame.
    package static let maximumDepth = 64

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    /// The offset at which ``column`` was last computed. The parser only moves forward, so each byte is counted once.
    private var countedIndex = 0
    private var column = 1
    private var depth = 0
    /// Number of bytes examined to compute columns; never more than the text has.
    private(set) var countedByteCount = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Parses a text that contains exactly one value.
    ///
    /// - Throws: ``JSONParsingError`` for the first error.
    package static func parse(_ text: some Sequence<UInt8>) throws(JSONParsingError) -> JSONNode {
        let bytes = Array(text)
        guard bytes.count <= maximumByteCount else {
            throw JSONParsingError(
                position: TextPosition(line: 1, column: 1), message: "larger than \(maximumByteCount >> 20) MiB")
        }
        var parser = JSONParser(bytes)
        return try parser.parseDocument()
    }

    /// Parses `bytes` and also returns how many of them were examined to compute positions; for tests of the cost.
    package static func countingParse(_ bytes: [UInt8]) throws(JSONParsingError) -> (
        node: JSONNode, countedByteCount: Int
    ) {
        var parser = JSONParser(bytes)
        let node = try parser.parseDocument()
        return (node, parser.countedByteCount)
    }

    private mutating func parseDocument() throws(JSONParsingError) -> JSONNode {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            // A byte order mark, which editors on Windows write.
            index = 3
            countedIndex = 3
        }
        let node = try parseValue()
        skipWhitespace()
        if index < bytes.count { throw fault("unexpected text after the value") }
        return node
    }

    // MARK: Values

    private mutating func parseValue() throws(JSONParsingError) -> JSONNode {
        skipWhitespace()
        let start = position
        guard let first = peek else { throw fault("unexpected end; a value is missing") }
        switch first {
        case UInt8(ascii: "{"): return JSONNode(.object(try parseMembers()), at: start)
        case UInt8(ascii: "["): return JSONNode(.array(try parseElements()), at: start)
        case UInt8(ascii: "\""): return JSONNode(.string(try parseString()), at: start)
        case UInt8(ascii: "t"): return JSONNode(.boolean(true), at: try expectWord("true", at: start))
        case UInt8(ascii: "f"): return JSONNode(.boolean(false), at: try expectWord("false", at: start))
        case UInt8(ascii: "n"): return JSONNode(.null, at: try expectWord("null", at: start))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return JSONNode(.number(try parseNumber()), at: start)
        case UInt8(ascii: "/"): throw fault("JSON does not allow comments")
        default:
            throw fault(
                "expected a value: an object, a list, a string in double quotes, a number, true, false or null")
        }
    }

    private mutating func parseMembers() throws(JSONParsingError) -> [JSONNode.Member] {
        try enter()
        var members: [JSONNode.Member] = []
        var names: Set<String> = []
        skipWhitespace()
        if take(UInt8(ascii: "}")) { return leave(with: members) }
        while true {
            skipWhitespace()
            let namePosition = position
            guard peek == UInt8(ascii: "\"") else {
                throw fault(
                    peek == UInt8(ascii: "}")
                        ? "unexpected comma before }" : "expected a name in double quotes")
            }
            let name = try parseString()
            guard names.insert(name).inserted else {
                throw JSONParsingError(position: namePosition, message: "\"\(name)\" is given twice")
            }
            skipWhitespace()
            guard take(UInt8(ascii: ":")) else { throw fault("expected a colon after the name \"\(name)\"") }
            members.append(JSONNode.Member(name: name, namePosition: namePosition, value: try parseValue()))
            skipWhitespace()
            if take(UInt8(ascii: "}")) { return leave(with: members) }
            guard take(UInt8(ascii: ",")) else { throw fault("expected a comma or }") }
        }
    }

    private mutating func parseElements() throws(JSONParsingError) -> [JSONNode] {
        try enter()
        var elements: [JSONNode] = []
        skipWhitespace()
        if take(UInt8(ascii: "]")) { return leave(with: elements) }
        while true {
            skipWhitespace()
            if !elements.isEmpty, peek == UInt8(ascii: "]") { throw fault("unexpected comma before ]") }
            elements.append(try parseValue())
            skipWhitespace()
            if take(UInt8(ascii: "]")) { return leave(with: elements) }
            guard take(UInt8(ascii: ",")) else { throw fault("expected a comma or ]") }
        }
    }

    private mutating func parseNumber() throws(JSONParsingError) -> Double {
        let start = index
        let startPosition = position
        _ = take(UInt8(ascii: "-"))
        let leadingZero = peek == UInt8(ascii: "0")
        let integerDigitCount = skipDigits()
        var isWellFormed = integerDigitCount > 0 && !(leadingZero && integerDigitCount > 1)
        if take(UInt8(ascii: ".")) { isWellFormed = skipDigits() > 0 && isWellFormed }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            isWellFormed = skipDigits() > 0 && isWellFormed
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard isWellFormed, let number = Double(text), number.isFinite else {
            throw JSONParsingError(position: startPosition, message: "\"\(text.prefix(40))\" is not a number")
        }
        return number
    }

    private mutating func skipDigits() -> Int {
        let start = index
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        return index - start
    }

    private mutating func expectWord(_ word: StaticString, at start: TextPosition) throws(JSONParsingError)
        -> TextPosition
    {
        let matches = word.withUTF8Buffer { bytes[index...].starts(with: $0) }
        guard matches else { throw fault("expected \(word)") }
        index += word.utf8CodeUnitCount
        return start
    }

    // MARK: Strings

    private mutating func parseString() throws(JSONParsingError) -> String {
        let start = position
        index += 1
        var content: [UInt8] = []
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                guard let string = String(validating: content, as: UTF8.self) else {
                    throw JSONParsingError(position: start, message: "this string is not valid UTF-8")
                }
                return string
            case UInt8(ascii: "\\"):
                index += 1
                try appendEscape(to: &content)
            case 0..<0x20:
                throw fault("a string must not contain a line break or another control character")
            default:
                content.append(byte)
                index += 1
            }
        }
        throw JSONParsingError(position: start, message: "this string has no closing double quote")
    }

    private mutating func appendEscape(to content: inout [UInt8]) throws(JSONParsingError) {
        guard let byte = peek else { throw fault("unexpected end in a string") }
        let simple: [UInt8: UInt8] = [
            UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
            UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12,
            UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
        ]
        if let character = simple[byte] {
            index += 1
            content.append(character)
        } else if byte == UInt8(ascii: "u") {
            index += 1
            content.append(contentsOf: Array(String(Character(try parseUnicodeEscape())).utf8))
        } else {
            throw fault("a backslash must be written as two, or begin an escape such as \\n or \\u00e9")
        }
    }

    private mutating func parseUnicodeEscape() throws(JSONParsingError) -> Unicode.Scalar {
        let first = try parseFourHexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        // RFC 8259 §7: beyond the Basic Multilingual Plane, two escapes make a surrogate pair.
        guard (0xD800..<0xDC00).contains(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw fault("incomplete surrogate pair")
        }
        let second = try parseFourHexDigits()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault("incomplete surrogate pair") }
        return scalar
    }

    private mutating func parseFourHexDigits() throws(JSONParsingError) -> UInt32 {
        let end = index + 4
        guard end <= bytes.count, bytes[index..<end].allSatisfy(Self.isHexDigit),
            let value = UInt32(String(decoding: bytes[index..<end], as: UTF8.self), radix: 16)
        else {
            throw fault("expected four hexadecimal digits after \\u")
        }
        index = end
        return value
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    // MARK: Position

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipWhitespace() {
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\n"):
                index += 1
                line += 1
                countedIndex = index
                column = 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index += 1
            default: return
            }
        }
    }

    private var position: TextPosition {
        mutating get {
            // Bytes that continue a UTF-8 sequence (10xxxxxx) do not begin a character.
            column += bytes[countedIndex..<index].count { $0 & 0xC0 != 0x80 }
            countedByteCount += index - countedIndex
            countedIndex = index
            return TextPosition(line: line, column: column)
        }
    }

    private mutating func fault(_ message: String) -> JSONParsingError {
        JSONParsingError(position: position, message: message)
    }

    private mutating func enter() throws(JSONParsingError) {
        depth += 1
        guard depth <= Self.maximumDepth else { throw fault("nested more than \(Self.maximumDepth) levels deep") }
        index += 1
    }

    private mutating func leave<Content>(with content: Content) -> Content {
        depth -= 1
        return content
    }
}
