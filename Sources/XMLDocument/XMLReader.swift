import MediaCore

/// Reads simple XML, such as the answers of object stores, the notes beside media files, and tracks of GPS receivers.
///
/// Only what these need is understood: elements, attributes, text, the five named entities and numeric ones, CDATA.
/// There are no document types, and so no entities that grow or refer to files. Foundation's parser would bring libxml2
/// to bytes of strangers.
package struct XMLReader {
    /// A page of a store's list has up to 1,000 entries with keys of up to 1,024 bytes, which may be escaped.
    package static let maximumByteCount = 4 << 20
    static let maximumDepth = 16
    /// An entry of a list has about ten elements.
    package static let maximumElementCount = 32_768

    /// The bytes are not XML of this kind.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package var reason: String
        /// The offset of the byte at which reading stopped.
        package var offset: Int

        package init(reason: String, offset: Int) { (self.reason, self.offset) = (reason, offset) }

        package var description: String { "\(reason) at byte \(offset)" }
    }

    private let bytes: [UInt8]
    private let maximumElementCount: Int
    private let keepsAttributes: Bool
    private var position = 0
    private var elementCount = 0

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: the document in UTF-8.
    ///   - isFollowed: whether something else may follow the root element, as addresses follow it in some notes.
    ///   - maximumElementCount: limit of the elements of the document.
    ///   - keepsAttributes: whether elements have their attributes, which otherwise are only skipped.
    /// - Returns: the root element.
    /// - Throws: ``Failure``
    package static func read(
        _ bytes: some Sequence<UInt8>, isFollowed: Bool = false, maximumElementCount: Int = maximumElementCount,
        keepsAttributes: Bool = false
    ) throws -> XMLElement {
        let bytes = Array(bytes)
        var reader = XMLReader(
            bytes: bytes, maximumElementCount: maximumElementCount, keepsAttributes: keepsAttributes)
        guard bytes.count <= maximumByteCount else {
            throw Failure(reason: "the document is larger than \(maximumByteCount >> 20) MiB", offset: 0)
        }
        reader.skip([0xEF, 0xBB, 0xBF])
        try reader.skipMisc()
        guard reader.peek() == UInt8(ascii: "<") else { throw reader.failure("no root element") }
        let root = try reader.element(depth: 1)
        if isFollowed { return root }
        try reader.skipMisc()
        guard reader.position == bytes.count else { throw reader.failure("bytes after the root element") }
        return root
    }

    private init(bytes: [UInt8], maximumElementCount: Int, keepsAttributes: Bool) {
        (self.bytes, self.maximumElementCount, self.keepsAttributes) = (bytes, maximumElementCount, keepsAttributes)
    }

    private func failure(_ reason: String) -> Failure { Failure(reason: reason, offset: position) }

    // MARK: Elements

    private mutating func element(depth: Int) throws -> XMLElement {
        guard depth <= Self.maximumDepth else { throw failure("more than \(Self.maximumDepth) levels") }
        elementCount += 1
        guard elementCount <= maximumElementCount else { throw failure("too many elements") }
        try expect("<")
        let name = try self.name()
        var element = XMLElement(name: name.local)
        guard try !readAttributes(of: &element) else { return element }
        var text: [UInt8] = []
        while true {
            guard let byte = peek() else { throw failure("`\(name.full)` is not closed") }
            if byte == UInt8(ascii: "&") {
                try reference(into: &text)
            } else if byte != UInt8(ascii: "<") {
                text.append(byte)
                position += 1
            } else if skip("<![CDATA[") {
                text += try through("]]>")
            } else if skip("<!--") {
                _ = try through("-->")
            } else if skip("<?") {
                _ = try through("?>")
            } else if skip("</") {
                guard try self.name() == name else { throw failure("`\(name.full)` is closed by another tag") }
                skipSpace()
                try expect(">")
                break
            } else {
                element.children.append(try self.element(depth: depth + 1))
            }
        }
        guard element.children.isEmpty else { return element }
        guard let valid = String(validating: text, as: UTF8.self) else { throw failure("text is not UTF-8") }
        element.text = valid
        return element
    }

    private struct Name: Equatable {
        var full: String
        var local: String { String(full.split(separator: ":").last ?? "") }
    }

    private mutating func name() throws -> Name {
        let start = position
        while let byte = peek(), Self.isNameByte(byte) { position += 1 }
        let name = Name(full: String(decoding: bytes[start..<position], as: UTF8.self))
        guard !name.local.isEmpty else { throw failure("a name is missing") }
        return name
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: ":"), 0x80...0xFF:
            true
        default: false
        }
    }

    /// Reads attributes and the end of the tag.
    ///
    /// - Returns: Whether the element is empty (`<Name/>`).
    private mutating func readAttributes(of element: inout XMLElement) throws -> Bool {
        while true {
            skipSpace()
            if skip("/>") { return true }
            if skip(">") { return false }
            let name = try self.name()
            skipSpace()
            try expect("=")
            skipSpace()
            guard let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                throw failure("an attribute's value is not quoted")
            }
            position += 1
            var value: [UInt8] = []
            while let byte = peek(), byte != quote {
                guard byte != UInt8(ascii: "<") else { throw failure("`<` in an attribute") }
                if keepsAttributes, byte == UInt8(ascii: "&") {
                    try reference(into: &value)
                } else {
                    if keepsAttributes { value.append(byte) }
                    position += 1
                }
            }
            guard peek() == quote else { throw failure("an attribute is not closed") }
            position += 1
            guard keepsAttributes else { continue }
            guard let text = String(validating: value, as: UTF8.self) else {
                throw failure("an attribute is not UTF-8")
            }
            // An attribute of another namespace does not take the place of the element's own.
            if name.full == name.local || element.attributes[name.local] == nil {
                element.attributes[name.local] = text
            }
        }
    }

    // MARK: Text

    /// The longest one is `&#x10FFFF;`, with a few leading zeros.
    private static let maximumReferenceByteCount = 16
    private static let entities: [String: UInt8] = [
        "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "amp": UInt8(ascii: "&"), "quot": UInt8(ascii: "\""),
        "apos": UInt8(ascii: "'"),
    ]

    private mutating func reference(into text: inout [UInt8]) throws {
        let rest = bytes[(position + 1)...].prefix(Self.maximumReferenceByteCount)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { throw failure("an entity is not closed") }
        let name = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
        if let byte = Self.entities[name] {
            text.append(byte)
        } else {
            let number =
                name.hasPrefix("#x")
                ? (name.dropFirst(2).allSatisfy(\.isHexDigit) ? UInt32(name.dropFirst(2), radix: 16) : nil)
                : name.hasPrefix("#") ? UInt32(digits: name.dropFirst()) : nil
            guard let scalar = number.flatMap(Unicode.Scalar.init) else { throw failure("an entity is unknown") }
            text += Array(String(scalar).utf8)
        }
        position = end + 1
    }

    // MARK: Bytes

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    /// Skips spaces, comments and processing instructions outside the root element.
    private mutating func skipMisc() throws {
        while true {
            skipSpace()
            if skip("<?") {
                _ = try through("?>")
            } else if skip("<!--") {
                _ = try through("-->")
            } else {
                return
            }
        }
    }

    /// Skips the bytes if they are the next ones.
    @discardableResult private mutating func skip(_ expected: [UInt8]) -> Bool {
        guard bytes[position...].starts(with: expected) else { return false }
        position += expected.count
        return true
    }

    private mutating func skip(_ expected: StaticString) -> Bool {
        skip(expected.withUTF8Buffer { Array($0) })
    }

    private mutating func expect(_ expected: StaticString) throws {
        guard skip(expected) else { throw failure("`\(expected)` is missing") }
    }

    /// The bytes before a terminator, which is skipped as well.
    private mutating func through(_ terminator: StaticString) throws -> ArraySlice<UInt8> {
        let (start, end) = (position, terminator.withUTF8Buffer { Array($0) })
        while position + end.count <= bytes.count {
            if bytes[position...].starts(with: end) {
                position += end.count
                return bytes[start..<(position - end.count)]
            }
            position += 1
        }
        throw failure("`\(terminator)` is missing")
    }
}
