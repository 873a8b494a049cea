import MediaCore

/// Reads simple XML, such as the answers of object stores, the notes beside media files, and tracks of GPS receivers.
///
/// Only what these need is understood: elements, attributes, text, the five named entities and numeric ones, CDATA, the
/// encoding that a declaration names. There are no document types, and so no entities that grow or refer to files.
/// Foundation's parser would bring libxml2 to bytes of strangers.
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
    private let toleratesMarkup: Bool
    private var position = 0
    private var elementCount = 0

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: the document, in UTF-8, UTF-16, or the encoding that its declaration names.
    ///   - isFollowed: whether something else may follow the root element, as addresses follow it in some notes.
    ///   - maximumElementCount: limit of the elements of the document.
    ///   - keepsAttributes: whether elements have their attributes, which otherwise are only skipped.
    ///   - toleratesMarkup: whether the entities of HTML, and an ampersand that begins none, are text, as people and
    ///     programs write them in notes.
    /// - Returns: the root element.
    /// - Throws: ``Failure``
    package static func read(
        _ bytes: some Sequence<UInt8>, isFollowed: Bool = false, maximumElementCount: Int = maximumElementCount,
        keepsAttributes: Bool = false, toleratesMarkup: Bool = false
    ) throws -> XMLElement {
        let source = Array(bytes)
        guard source.count <= maximumByteCount else {
            throw Failure(reason: "the document is larger than \(maximumByteCount >> 20) MiB", offset: 0)
        }
        let bytes = try inUTF8(source)
        var reader = XMLReader(
            bytes: bytes, maximumElementCount: maximumElementCount, keepsAttributes: keepsAttributes,
            toleratesMarkup: toleratesMarkup)
        try reader.skipMisc()
        guard reader.peek() == UInt8(ascii: "<") else { throw reader.failure("no root element") }
        let root = try reader.element(depth: 1)
        if isFollowed { return root }
        try reader.skipMisc()
        guard reader.position == bytes.count else { throw reader.failure("bytes after the root element") }
        return root
    }

    private init(bytes: [UInt8], maximumElementCount: Int, keepsAttributes: Bool, toleratesMarkup: Bool) {
        (self.bytes, self.maximumElementCount) = (bytes, maximumElementCount)
        (self.keepsAttributes, self.toleratesMarkup) = (keepsAttributes, toleratesMarkup)
    }

    /// The bytes in which an XML declaration ends.
    private static let maximumDeclarationByteCount = 256

    /// The document in UTF-8 (XML 1.0 §4.3.3). Nothing is done for one that is UTF-8 already.
    ///
    /// - Throws: ``Failure`` if its declaration names an encoding that is not known, and it is not UTF-8.
    private static func inUTF8(_ bytes: [UInt8]) throws -> [UInt8] {
        let label = declaredEncoding(bytes)
        let declared = label.flatMap { TextEncoding(label: $0) }
        let encoding = TextEncoding(of: bytes, declared: declared)
        if case .singleByte = encoding {
            if let label, declared == nil { throw Failure(reason: "the encoding `\(label)` is unknown", offset: 0) }
            // Without a declaration, XML is UTF-8.
            guard case .singleByte = declared else { return bytes }
        }
        let isPlain = encoding == .utf8 && !bytes.starts(with: [0xEF, 0xBB, 0xBF])
        return isPlain ? bytes : Array(encoding.text(bytes).utf8)
    }

    /// The encoding in the declaration of a document; `nil` if it names none.
    private static func declaredEncoding(_ bytes: [UInt8]) -> String? {
        let beginning = bytes.prefix(maximumDeclarationByteCount)
        guard beginning.starts(with: "<?xml".utf8) else { return nil }
        let declaration = String(decoding: beginning.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
        guard let found = declaration.firstMatch(of: /\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/) else { return nil }
        return String(found.1)
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
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else {
            guard toleratesMarkup else { throw failure("an entity is not closed") }
            return takeAmpersand(into: &text)
        }
        let name = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
        if let byte = Self.entities[name] {
            text.append(byte)
        } else if toleratesMarkup, let scalar = HTMLEntity.scalar(named: name) {
            text += Array(String(scalar).utf8)
        } else {
            let number =
                name.hasPrefix("#x")
                ? (name.dropFirst(2).allSatisfy(\.isHexDigit) ? UInt32(name.dropFirst(2), radix: 16) : nil)
                : name.hasPrefix("#") ? UInt32(digits: name.dropFirst()) : nil
            guard let scalar = number.flatMap(Unicode.Scalar.init) else {
                guard toleratesMarkup else { throw failure("an entity is unknown") }
                return takeAmpersand(into: &text)
            }
            text += Array(String(scalar).utf8)
        }
        position = end + 1
    }

    /// Takes an ampersand that begins no entity as what it is.
    private mutating func takeAmpersand(into text: inout [UInt8]) {
        text.append(UInt8(ascii: "&"))
        position += 1
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
